import { expect, test } from 'vitest';

import { renderReferencePrompt } from './reference-prompt.ts';

const PDF = { name: 'pdf', description: 'Fill PDF forms.', location: '/skills/pdf/SKILL.md' };

test('the reference prompt without skills is two tags on two lines', () => {
  expect(renderReferencePrompt([])).toBe('<available_skills>\n</available_skills>');
});

test('the reference prompt has every tag and every value on its own line', () => {
  expect(renderReferencePrompt([PDF])).toBe(
    `<available_skills>
<skill>
<name>
pdf
</name>
<description>
Fill PDF forms.
</description>
<location>
/skills/pdf/SKILL.md
</location>
</skill>
</available_skills>`,
  );
});

test('the reference prompt lists skills in the order given', () => {
  const text = renderReferencePrompt([
    { ...PDF, name: 'b' },
    { ...PDF, name: 'a' },
  ]);
  expect(text.split('\n').filter((_, at, lines) => lines[at - 1] === '<name>')).toEqual(['b', 'a']);
});

test('the reference prompt escapes markup in values', () => {
  const description = `</skill> <b> & "x" 'y' &amp;`;
  const lines = renderReferencePrompt([{ ...PDF, description }]).split('\n');
  expect(lines[6]).toBe('&lt;/skill&gt; &lt;b&gt; &amp; &quot;x&quot; &#x27;y&#x27; &amp;amp;');
});
