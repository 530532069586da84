import { join } from 'node:path';

import { HINT_MARK } from '../hint-mark.ts';
import type { DatabaseHistory } from '../history/host-history.ts';
import { numberAt, textAt, valueAt } from '../history/json-value.ts';

/**
 * A database of sessions. A skill that a user calls by slash becomes an ordinary part of the request, so only what the model
 * loads is seen.
 */
export const opencodeHistory: DatabaseHistory = {
  kind: 'database',
  file: ({ home, variables }) =>
    variables['OPENCODE_DB'] ||
    join(variables['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'opencode', 'opencode.db'),
  query: `SELECT part.id AS id, part.session_id AS session, coalesce(session.directory, '') AS cwd,
            part.time_updated AS changed, part.data AS data
          FROM part LEFT JOIN session ON session.id = part.session_id
          WHERE part.time_updated >= ? AND (instr(part.data, '"tool":"skill"') OR instr(part.data, '${HINT_MARK}'))
          ORDER BY part.time_created, part.id`,
  requests: `SELECT part.id AS id, part.session_id AS session, coalesce(session.directory, '') AS cwd,
               part.time_updated AS changed, part.data AS data, coalesce(json_extract(message.data, '$.role'), '') AS role
             FROM part LEFT JOIN session ON session.id = part.session_id LEFT JOIN message ON message.id = part.message_id
             WHERE part.time_updated >= ? AND (instr(part.data, '"tool":"skill"') OR instr(part.data, '${HINT_MARK}')
               OR (instr(message.data, '"role":"user"') AND instr(part.data, '"type":"text"')))
             ORDER BY part.time_created, part.id`,
  read({ id, session: name, cwd, changed, role, data }, session) {
    session.place({ session: name, cwd });
    const [type, skill] = [valueAt(data, 'type'), textAt(data, 'state', 'input', 'name')];
    const at = session.time(numberAt(data, 'state', 'time', 'start') || changed);
    if (type === 'tool' && valueAt(data, 'tool') === 'skill' && valueAt(data, 'state', 'status') === 'completed') {
      // Our hook tells of a use by the id of the call.
      if (skill !== undefined) session.use({ id: textAt(data, 'callID') ?? id, skill, at, by: 'model' });
    } else if (type === 'text' && textAt(data, 'text')?.startsWith(HINT_MARK) === true)
      session.hint({ id, at, text: textAt(data, 'text') ?? '' });
    // Synthetic parts are the program's own.
    else if (type === 'text' && role === 'user' && valueAt(data, 'synthetic') !== true)
      session.ask(textAt(data, 'text') ?? '');
  },
};
