/** Where the engine runs, for the surfaces that ask for it. */
export { findCommand, readEnvironment } from '../platform/environment.ts';
