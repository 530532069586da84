import type { Rule } from './rule.ts';

/** Text that readers do not notice. */
export const HIDDEN_TEXT: Readonly<
  Record<'tag' | 'bidi' | 'zero-width' | 'control' | 'lookalike' | 'padding' | 'longLine' | 'encoded', Rule>
> = {
  tag: {
    id: 'SP601',
    name: 'invisible-message',
    severity: 'critical',
    why: 'These invisible characters spell text that a model reads. They have no honest use in a skill.',
  },
  bidi: {
    id: 'SP602',
    name: 'changed-direction',
    severity: 'high',
    why: 'The text is displayed in a different order than it is read, so you do not see what the agent sees.',
  },
  'zero-width': {
    id: 'SP603',
    name: 'zero-width-character',
    severity: 'low',
    why: 'An invisible character splits words, so that a search does not find them, or carries a message.',
  },
  control: {
    id: 'SP604',
    name: 'control-character',
    severity: 'low',
    why: 'Control characters change what a terminal shows, or end a text early for some readers.',
  },
  lookalike: {
    id: 'SP605',
    name: 'foreign-lookalike-letters',
    severity: 'medium',
    why: 'Letters of another alphabet stand among Latin ones, so the word is not what it seems.',
  },
  padding: {
    id: 'SP606',
    name: 'text-after-padding',
    severity: 'medium',
    why: 'White space pushes this text out of sight. Readers and simple scanners stop before it.',
  },
  longLine: {
    id: 'SP607',
    name: 'very-long-line',
    severity: 'info',
    why: 'People do not read a line of thousands of characters to its end.',
  },
  encoded: {
    id: 'SP608',
    name: 'encoded-text',
    severity: 'low',
    why: 'Readable text is encoded, so that people cannot read it. The audit has decoded and read it.',
  },
};

/** Suspicious files, whatever their text. */
export const FILES: Readonly<
  Record<
    | 'program'
    | 'bytecode'
    | 'disguised'
    | 'unlike'
    | 'polyglot'
    | 'special'
    | 'autostart'
    | 'name'
    | 'active'
    | 'pickle'
    | 'outside'
    | 'unresolved'
    | 'secret',
    Rule
  >
> = {
  program: {
    id: 'SP701',
    name: 'program',
    severity: 'high',
    why: 'A compiled program cannot be reviewed before it runs.',
  },
  bytecode: {
    id: 'SP702',
    name: 'bytecode',
    severity: 'high',
    why: 'Compiled code can differ from the source next to it, and the compiled code is what runs.',
  },
  disguised: {
    id: 'SP703',
    name: 'disguised-file',
    severity: 'critical',
    why: 'It is a program or an archive, but its name says picture, text or document.',
  },
  unlike: {
    id: 'SP704',
    name: 'unlike-its-name',
    severity: 'medium',
    why: 'The content does not match the file extension.',
  },
  polyglot: {
    id: 'SP705',
    name: 'two-files-in-one',
    severity: 'high',
    why: 'Programs read this file as two different things, and one of them is hidden.',
  },
  special: {
    id: 'SP706',
    name: 'link-or-special-file',
    severity: 'medium',
    why: 'It is not a regular file. It may lead out of the skill, or block a reader forever.',
  },
  autostart: {
    id: 'SP707',
    name: 'auto-loaded-file',
    severity: 'medium',
    why: 'Editors, agents, git or interpreters act on a file with this name without being asked.',
  },
  name: {
    id: 'SP708',
    name: 'misleading-name',
    severity: 'high',
    why: 'The name is made to look like another one.',
  },
  active: {
    id: 'SP709',
    name: 'active-file-type',
    severity: 'high',
    why: 'Opening a file of this type can run code.',
  },
  pickle: {
    id: 'SP710',
    name: 'pickled-data',
    severity: 'medium',
    why: 'Loading this data runs any code in it.',
  },
  outside: {
    id: 'SP711',
    name: 'code-outside-the-skill',
    severity: 'high',
    why: 'The skill names a toolset or script that is not a regular file inside it. It is not run, but the intent is suspect.',
  },
  unresolved: {
    id: 'SP712',
    name: 'missing-toolset-or-script',
    severity: 'info',
    why: 'The skill names a toolset or script that it does not have, so that part of it does not work.',
  },
  secret: {
    id: 'SP713',
    name: 'secret-file',
    severity: 'high',
    why: 'Files of this name hold keys, passwords or tokens. Everyone who has the skill has them.',
    isSecret: true,
  },
};

/** Archives, and content that could not be read. */
export const ARCHIVES: Readonly<
  Record<'archive' | 'locked' | 'nested' | 'escape' | 'bomb' | 'unknown' | 'damaged' | 'unread' | 'tooMuch', Rule>
> = {
  archive: {
    id: 'SP801',
    name: 'archive',
    severity: 'info',
    why: 'An archive holds files that the folder does not show. The audit has read those it could unpack.',
  },
  locked: {
    id: 'SP802',
    name: 'locked-archive',
    severity: 'critical',
    why: 'The content cannot be read without the password. Malware is often packed like this.',
  },
  nested: {
    id: 'SP803',
    name: 'archive-in-archive',
    severity: 'medium',
    why: 'Nested archives get past scanners that open only the first one.',
  },
  escape: {
    id: 'SP804',
    name: 'archive-that-escapes',
    severity: 'high',
    why: 'Some unpackers would write this entry outside the target folder, or follow it out.',
  },
  bomb: {
    id: 'SP805',
    name: 'too-much-to-unpack',
    severity: 'critical',
    why: 'It unpacks to more than the limits of the audit. The rest was not read.',
  },
  unknown: {
    id: 'SP806',
    name: 'archive-not-read',
    severity: 'medium',
    why: 'The audit cannot unpack this format. Look inside yourself.',
  },
  damaged: {
    id: 'SP807',
    name: 'inconsistent-archive',
    severity: 'high',
    why: 'The archive is damaged or contradicts itself, so different programs unpack it differently.',
  },
  unread: {
    id: 'SP901',
    name: 'not-read',
    severity: 'critical',
    why: 'This was not read, so nothing is known about it.',
  },
  tooMuch: {
    id: 'SP902',
    name: 'too-much-to-examine',
    severity: 'critical',
    why: 'The rest was not examined. Malware is padded like this to get past scanners.',
  },
};
