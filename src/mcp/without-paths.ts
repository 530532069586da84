/** An absolute path, as it stands in a sentence; what follows `://` or a word is none. */
const ABSOLUTE = /(?<![\w:/.~-])(?:[A-Za-z]:\\|\/)[^\s"'`;,()]*/g;

/**
 * A message for whoever asks, who may be on another machine: the paths of this one are cut down to their last part.
 * `folders` are cut first, since they may hold blanks.
 */
export function withoutPaths(message: string, folders: readonly string[]): string {
  const shortened = folders
    .filter((folder) => folder.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, folder) => text.replaceAll(folder, '/…'), message);
  return shortened.replaceAll(ABSOLUTE, (path) => path.split(/[/\\]/).findLast((part) => part !== '') ?? path);
}
