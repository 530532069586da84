import fc from 'fast-check';
import { expect, test } from 'vitest';

import { setJsonObject } from './json-object.ts';

const EDIT = {
  section: 'mcpServers',
  name: 'skillplane',
  entry: { command: 'skillplane', args: ['mcp'] },
  ownKeys: ['command', 'args', 'url'],
};

function edit(text: string, given: Partial<typeof EDIT> = {}): string {
  const edited = setJsonObject(text, { ...EDIT, ...given });
  if (!edited.ok) throw new Error(edited.message);
  return edited.text;
}

test('a server entry for a missing JSON settings file creates the whole file', () => {
  expect(edit('')).toBe(
    '{\n  "mcpServers": {\n    "skillplane": {\n      "command": "skillplane",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
  );
});

test('adding a server to JSON settings keeps comments, order, indentation and odd formatting', () => {
  const text = `{
\t// of mine
\t"theme": "dark",   /* why not */
\t"mcpServers": {
\t\t"other": {"command": "x"} // keep
\t}
}
`;
  expect(edit(text)).toBe(`{
\t// of mine
\t"theme": "dark",   /* why not */
\t"mcpServers": {
\t\t"other": {"command": "x"}, // keep
\t\t"skillplane": {
\t\t\t"command": "skillplane",
\t\t\t"args": [
\t\t\t\t"mcp"
\t\t\t]
\t\t}
\t}
}
`);
});

test.each([
  ['{}', '{\n  "mcpServers": {'],
  ['{\n}\n', '{\n  "mcpServers": {'],
  ['{"a":1}', '{"a":1, "mcpServers": {'],
  ['{\n  "a": 1,\n}\n', '{\n  "a": 1,\n  "mcpServers": {'],
  ['{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "mcpServers": {'],
  ['\uFEFF{}', '\uFEFF{\n  "mcpServers": {'],
  ['// top\n{}\n// end\n', '// top\n{\n  "mcpServers": {'],
])('a server is added to the JSON settings %j in their layout, and only once', (text, start) => {
  const edited = edit(text);
  expect(edited.startsWith(start)).toBe(true);
  expect(edit(edited)).toBe(edited);
});

test('a server entry that is already in the JSON settings is left unchanged', () => {
  const text = '{"mcpServers": {"skillplane": {"args": ["mcp"], "command": "skillplane", "env": {}}}}';
  expect(edit(text)).toBe(text);
});

test('a changed server entry is replaced in the JSON settings, with the comments and keys that a user added', () => {
  const before = `{
  "mcpServers": {
    "skillplane": {
      // on another machine
      "url": "http://127.0.0.1:7411/mcp",
      "env": { "A": "1" }
    }
  }
}
`;
  const edited = edit(before);
  expect(edited).toContain('// on another machine');
  expect(edited).toContain('"env": { "A": "1" }');
  expect(edited).not.toContain('url');
  expect(edited).toContain('"command": "skillplane"');
});

test.each([
  ['{"a": }', 'line 1'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3'],
  ['{', 'line 1'],
  ['[]', 'not contain a JSON object'],
  ['1', 'not contain a JSON object'],
  ['{"mcpServers": []}', 'mcpServers'],
  ['{"mcpServers": {"skillplane": "x"}}', 'mcpServers'],
  ['{} {}', 'line 1'],
  ['{"mcpServers": {}, "mcpServers": {}}', 'safely'],
])('adding a server to the JSON settings %j is refused with the reason', (text, reason) => {
  expect(setJsonObject(text, EDIT)).toMatchObject({
    ok: false,
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(reason),
  });
});

test('an outdated key of a server entry is removed from a single line and from a line below a comment', () => {
  expect(edit('{"mcpServers": {"skillplane": {"url": "http://x", "env": {}}}}')).toBe(
    '{"mcpServers": {"skillplane": {"env": {}, "command": "skillplane", "args": ["mcp"]}}}',
  );
  expect(edit('{"mcpServers": {"skillplane": {\n  // mine\n  "url": "http://x", "env": {}\n}}}')).toBe(
    '{"mcpServers": {"skillplane": {\n  // mine\n  "env": {},\n  "command": "skillplane",\n  "args": [\n    "mcp"\n  ]\n}}}',
  );
});

test('adding a server to JSON settings keeps every other value, whatever the file contains', () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2, '\t'), (content, indent) => {
      const text = JSON.stringify({ ...content, mcpServers: undefined }, undefined, indent);
      const edited = JSON.parse(edit(text)) as Record<string, unknown>;
      expect(edited).toEqual({ ...(JSON.parse(text) as object), mcpServers: { skillplane: EDIT.entry } });
    }),
    { seed: 20_261_115 },
  );
});
