/** npm's own limit. */
const MAX_LENGTH = 214;
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** Is this the name of an npm package? Such a name leads out of no folder. */
export function isPackageName(name: string): boolean {
  return name.length <= MAX_LENGTH && NAME.test(name);
}
