import { runModule, sourceUrl } from './child.ts';

/** The lock token of a process that has ended. */
export async function deadToken(): Promise<string> {
  const code = `
    import { renderToken } from ${JSON.stringify(sourceUrl('platform/files/lock-owner.ts'))};
    console.log(JSON.stringify(renderToken()));`;
  return String(await runModule(code));
}
