import { openBodyReader } from '../../catalog/read-body.ts';
import type { Skill } from '../../model/skill.ts';
import { breathe } from '../../platform/clock.ts';
import { countCores } from '../../platform/process/cores.ts';
import { withThreads, type Thread } from '../../platform/process/thread.ts';
import type { PackedPart } from '../../select/building/index-builder.ts';
import { openDocumentPacker, type PackedDocuments } from '../../select/building/pack-documents.ts';
import type { UnreadSkill } from './index-thread.ts';
import { openPackageGlossary } from './package-glossary.ts';

export interface PackingOptions {
  /** Called before the first skills are read and after each group, with the number of skills that are left. */
  readonly onLeft?: (left: number) => void;
  /** Ends the reading. */
  readonly signal: AbortSignal;
  /** Default: one for each core, at most 4. With fewer than two, the skills are read here. */
  readonly threads?: number;
  /** The program of the threads. */
  readonly program?: URL;
}

const MAX_THREADS = 4;
/** The texts of a skill are needed for a moment only. */
const YOUNG_MB = 8;
/** Skills that a thread reads at a time: enough to share words, few enough that threads end together. */
const GROUP = 1_024;
/** Reading here yields to other work after this many skills. */
const SLICE = 32;

/**
 * Reads the instructions of skills and packs them for the index, on several threads. Each part is given to `onPart` as soon
 * as it and those before it are read, in the order of the skills; they are the same however many threads there are. Skills of
 * a thread that fails are read here.
 */
export async function packOnThreads(
  skills: readonly Skill[],
  onPart: (part: PackedPart) => void,
  options: PackingOptions,
): Promise<void> {
  const { onLeft, signal, threads: count = Math.min(countCores(), MAX_THREADS), program = THREAD_PROGRAM } = options;
  const groups = Array.from({ length: Math.ceil(skills.length / GROUP) }, (_, at) =>
    skills.slice(GROUP * at, GROUP * (at + 1)),
  );
  const early = new Map<number, PackedPart>();
  const packHere = openLocalPacking();
  let next = 0;
  let given = 0;
  let left = skills.length;
  const give = (): void => {
    for (let part = early.get(given); part !== undefined; part = early.get(given)) {
      early.delete(given);
      given += 1;
      onPart(part);
    }
  };
  const work = async (pack: (group: readonly Skill[]) => Promise<PackedDocuments | undefined>): Promise<void> => {
    while (next < groups.length && !signal.aborted) {
      const at = next;
      const group = groups[at] ?? [];
      next += 1;
      const packed = (await pack(group)) ?? (signal.aborted ? undefined : await packHere(group, signal));
      if (packed === undefined) return;
      early.set(at, { skills: group, packed });
      give();
      left -= group.length;
      onLeft?.(left);
    }
  };
  onLeft?.(left);
  const wanted = count < 2 ? 0 : Math.min(count, groups.length);
  await withThreads(wanted, { program, youngMb: YOUNG_MB }, async (threads) => {
    if (threads.length === 0) await work((group) => packHere(group, signal));
    else await Promise.all(threads.map((thread) => work((group) => packThere(thread, group, signal))));
  });
}

const THREAD_PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? './index-thread.ts' : './index-thread.js',
  import.meta.url,
);

async function packThere(
  thread: Thread,
  group: readonly Skill[],
  signal: AbortSignal,
): Promise<PackedDocuments | undefined> {
  if (thread.isOver) return undefined;
  const asked = await thread.ask(group.map(toUnread), signal);
  // Our own program answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return asked.ok ? (asked.answer as PackedDocuments) : undefined;
}

function toUnread({ file, name, id, title, description, tags, triggers }: Skill): UnreadSkill {
  return { file, name, id, title, description, tags, triggers };
}

type LocalPacking = (group: readonly Skill[], signal: AbortSignal) => Promise<PackedDocuments | undefined>;

/** Reads on this thread, one group at a time. */
function openLocalPacking(): LocalPacking {
  let last: Promise<unknown> = Promise.resolve();
  const packer = openDocumentPacker(openPackageGlossary());
  const readBody = openBodyReader();
  const pack: LocalPacking = async (group, signal) => {
    for (const [at, skill] of group.entries()) {
      if (signal.aborted) return undefined;
      packer.add(skill, readBody(skill));
      if (at % SLICE === 0) await breathe();
    }
    return packer.pack();
  };
  return (group, signal) => {
    const packed = last.then(() => pack(group, signal));
    last = packed;
    return packed;
  };
}
