import type { YAMLSeq } from 'yaml';

type Yaml = typeof import('yaml');

/** Takes items out of a list; what was remarked on them stays as a remark on the list. */
export function removeItems(list: YAMLSeq, isOut: (item: unknown) => boolean, yaml: Yaml): void {
  const remarks = list.items.filter(isOut).flatMap((item) => collectComments(item, yaml));
  list.items = list.items.filter((item) => !isOut(item));
  if (remarks.length > 0) list.comment = [list.comment, ...remarks].filter(Boolean).join('\n');
}

/** Every remark in a part of a document, in its order. */
export function collectComments(item: unknown, yaml: Yaml): readonly string[] {
  const comments: string[] = [];
  if (!yaml.isNode(item)) return comments;
  yaml.visit(item, {
    Node(_key, node) {
      for (const comment of [node.commentBefore, node.comment]) if (comment) comments.push(comment);
    },
  });
  return comments;
}
