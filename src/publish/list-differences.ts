import { compareFiles, type FileChange } from '../install/changes/compare-files.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { sha256Of, type FileContent } from '../parse/digest.ts';
import { openDiffBudget, renderDiff } from '../parse/render-diff.ts';

/** How one file differs between two versions. */
export interface FileDifference extends FileChange {
  /** As `diff -u` shows it, cut if it is long; undefined if one of the two is not text. */
  readonly diff: string | undefined;
}

/** The differences between the files of two versions, sorted by path. */
export function listDifferences(
  before: readonly FileContent[],
  after: readonly FileContent[],
): readonly FileDifference[] {
  const textOf = (files: readonly FileContent[], path: string): string | undefined => {
    const file = files.find((one) => one.path === path);
    return file === undefined ? '' : decodeStrictly(file.bytes);
  };
  const budget = openDiffBudget();
  return compareFiles(before.map(toLocked), after.map(toLocked)).map((change) => {
    const [left, right] = [textOf(before, change.path), textOf(after, change.path)];
    const isText = left !== undefined && right !== undefined;
    return { ...change, diff: isText ? renderDiff(left, right, change.path, budget) : undefined };
  });
}

function toLocked({ path, executable, bytes }: FileContent) {
  return { path, executable, digest: sha256Of(bytes) };
}
