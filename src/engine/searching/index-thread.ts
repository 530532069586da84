/** The program of a thread that reads skills for the search index. `pack-on-threads.ts` asks it. */
import { openBodyReader } from '../../catalog/read-body.ts';
import { answerRequests } from '../../platform/process/thread.ts';
import { listBuffers, openDocumentPacker, type PackedDocuments } from '../../select/building/pack-documents.ts';
import type { DocumentSource } from '../../select/index/document.ts';
import { openPackageGlossary } from './package-glossary.ts';

/** A skill to read, as a thread needs it. */
export interface UnreadSkill extends DocumentSource {
  readonly file: string;
}

serveIndex();

function serveIndex(): void {
  const packer = openDocumentPacker(openPackageGlossary());
  const readBody = openBodyReader();
  const pack = (skills: readonly UnreadSkill[]): PackedDocuments => {
    for (const skill of skills) packer.add(skill, readBody(skill));
    return packer.pack();
  };
  // Only `pack-on-threads.ts` sends requests and receives answers, and they are these.
  answerRequests(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    async (request) => pack(request as readonly UnreadSkill[]),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    (packed) => listBuffers(packed as PackedDocuments),
  );
}
