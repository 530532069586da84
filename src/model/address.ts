/** Decodes %XX; undefined if that is not valid. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Does this look like an address, such as `https://…` or `name:password@host`, and not like a path? */
export function looksLikeAddress(text: string): boolean {
  return /^\s*(?:[a-z][a-z\d+.-]+:\/\/|(?:\/\/)?[^/\\]+:[^/\\]*@)/i.test(text);
}

/**
 * An address for messages. Whatever is wrong with it, everything before its last `@` is left out, unless that is plainly
 * a path or the user of an ssh address; so are the values of parameters such as `token`.
 */
export function hideCredentials(address: string): string {
  const [scheme] = SCHEME.exec(address) ?? [''];
  const rest = address.slice(scheme.length).replaceAll(/%40/g, '@');
  const shown = isPlain(scheme, rest) ? address.slice(scheme.length) : rest.slice(rest.lastIndexOf('@') + 1);
  return `${scheme}${shown}`.replaceAll(SECRET_PARAMETER, '$1…');
}

/** The same for all addresses with a protocol in a text. */
export function hideAllCredentials(text: string): string {
  return text.includes('/')
    ? text.replaceAll(/(?<![\w/.-])(?:[a-z][a-z\d+.-]+:\/|\/\/)[^\s"'`<>]+/gi, hideCredentials)
    : text;
}

/**
 * Can the name or password in an address contain a slash? Then it would be taken for another host with a path, and
 * be shown.
 */
export function hasUnclearCredentials(address: string): boolean {
  const [scheme] = SCHEME.exec(address) ?? [''];
  const [, rest = ''] = /^(?:[^/?#]*@)?(.*)$/s.exec(address.slice(scheme.length)) ?? [];
  return scheme !== '' && !isPlain(scheme, rest);
}

const SCHEME = /^[a-z][a-z\d+.-]*:(?::|\/+)/i;
const SECRET_PARAMETER = /([?&;][^=&\s]{0,40}(?:token|key|secret|passw|auth|signature)[^=&\s]{0,40}=)[^&\s#]+/gi;

/** Is there surely no name or password before the last `@`? */
function isPlain(scheme: string, rest: string): boolean {
  const at = rest.lastIndexOf('@');
  if (at === -1 || /^(?:file|skill):/i.test(scheme)) return true;
  const before = rest.slice(0, at);
  return scheme === '' ? PLAIN_WORD.test(before) : PLAIN_PATH.test(before) || HUB_SCOPE.test(rest);
}

/** Of `@team/skill`, `owner/repo@skill`, `git@host:path` and `npm:package@1`. */
const PLAIN_WORD = /^(?:|[^:]*\/[^:]*|[a-z_][a-z\d_-]{0,31}|npm:@?[^:@]*)$/;
/** On a host that cannot be a name, and without what could be a password. */
const PLAIN_PATH = /^(?:(?:[\w-]+\.)+[\w-]+|(?:localhost|127(?:\.\d+){3}|\[[\da-f:]+\])(?::\d+)?)\/[^:]*$/i;
const HUB_SCOPE = /^[\w.-]+(?::\d+)?\/@[a-z\d][a-z\d-]{0,62}(?:\/[^/:@\s]*(?:@[^/:@\s]*)?)?$/;
