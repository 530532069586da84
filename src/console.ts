/** The console: a page on this machine over the skills that `openSkills` opened. */

export { serveConsole, type ConsoleOptions, type ConsoleService } from './http/serve-console.ts';
