import { expect, test } from 'vitest';

import { pluginName } from './plugin-name.ts';

test.each([
  [{ url: 'https://example.org/o/pdf' }, 'pdf'],
  [{ url: 'https://example.org/o/pdf.git/' }, 'pdf'],
  [{ url: 'git@example.org:pdf.git' }, 'pdf'],
  [{ url: 'git@example.org:o/pdf' }, 'pdf'],
  [{ url: '/folder/pdf' }, 'pdf'],
  [{ url: 'o/pdf' }, 'pdf'],
  [{ url: 'https://example.org/o/pdf', name: 'forms' }, 'forms'],
])('a plugin is named by its name, or else by its repository: %j', (plugin, name) => {
  expect(pluginName(plugin)).toBe(name);
});
