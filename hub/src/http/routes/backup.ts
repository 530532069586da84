import { z } from 'zod';

import { writeBackup } from '../../operate/backup.ts';
import { route, type Route } from '../route.ts';

/** Everything as lines of JSON. The last line says how many rows there are, so that a cut shows. */
export const BACKUP: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/backup',
    access: { kind: 'all', role: 'admin' },
    summary: 'Everything in the database, as of one moment, for `skillplane-hub restore`',
    query: z.object({}),
    answer: async ({ hub }) => {
      const { readable, writable } = new TransformStream<string, string>();
      const writer = writable.getWriter();
      writeBackup(hub.database, async (line) => {
        await writer.ready;
        await writer.write(line);
      })
        .then(
          () => writer.close(),
          (error: unknown) => {
            hub.onError(error);
            return writer.abort(error);
          },
        )
        .catch(hub.onError);
      return new Response(readable.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'application/x-ndjson' },
      });
    },
  }),
];
