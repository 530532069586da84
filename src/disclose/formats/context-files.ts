import type { ContextFile } from '../../model/context-file.ts';
import { harmlessBlock, tagStart, visibleText } from '../harmless.ts';
import { escapeXml } from './xml.ts';

/** The elements that hold context files; a file must not open or close one. */
const OWN_TAGS = tagStart(['context_files', 'context_file']);

/** The files as a block of a system prompt, the closest last, because it counts most. Empty if there are none. */
export function renderContextFiles(files: readonly ContextFile[]): string {
  if (files.length === 0) return '';
  const farthestFirst = files.toSorted((a, b) => b.depth - a.depth);
  return ['<context_files>', ...farthestFirst.map(renderFile), '</context_files>'].join('\n');
}

function renderFile({ path, depth, level, text, fault }: ContextFile): string {
  const content = harmlessBlock(text).replaceAll(OWN_TAGS, '&lt;').trim();
  const note = fault === undefined ? [] : [`[${visibleText(fault)}]`];
  return [
    `<context_file path="${escapeXml(visibleText(path))}" level="${level}" depth="${depth}">`,
    ...(content === '' ? [] : [content]),
    ...note,
    '</context_file>',
  ].join('\n');
}
