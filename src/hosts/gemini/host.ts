import { join } from 'node:path';

import type { Host } from '../host.ts';

export const gemini: Host = {
  id: 'gemini',
  title: 'Gemini',
  seenIn: '0.61.0',
  program: 'gemini',
  folder: ({ home }) => join(home, '.gemini'),
};
