import { readOwnBytes } from '../../platform/files/files.ts';
import { packageFile } from '../../platform/package-file.ts';
import { openGlossary, type Glossary } from '../../select/index/glossary.ts';

/** The glossary included in the package. */
export function openPackageGlossary(): Glossary {
  return openGlossary(() => readOwnBytes(packageFile('data/chinese-english.txt'))?.toString() ?? '');
}
