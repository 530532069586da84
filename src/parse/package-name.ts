/** npm's own limit. */
const MAX_LENGTH = 214;
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** Is this an npm package name? Such a name cannot leave a folder. */
export function isPackageName(name: string): boolean {
  return name.length <= MAX_LENGTH && NAME.test(name);
}
