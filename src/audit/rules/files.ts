import type { Rule } from './rule.ts';

/** Characters and shapes of text that a reader does not notice. */
export const HIDDEN_TEXT: Readonly<
  Record<'tag' | 'bidi' | 'zero-width' | 'control' | 'lookalike' | 'padding' | 'longLine' | 'encoded', Rule>
> = {
  tag: {
    id: 'SP601',
    name: 'invisible-message',
    severity: 'critical',
    why: 'These characters are invisible and spell text that a model reads; they have no honest use in a skill.',
  },
  bidi: {
    id: 'SP602',
    name: 'changed-direction',
    severity: 'high',
    why: 'Text is shown in another order than it is read, so that you see something else than the agent.',
  },
  'zero-width': {
    id: 'SP603',
    name: 'zero-width-character',
    severity: 'low',
    why: 'A character without width splits words, so that searching does not find them.',
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
    why: 'Letters of another alphabet stand among Latin ones: the word is not the one it seems to be.',
  },
  padding: {
    id: 'SP606',
    name: 'text-after-padding',
    severity: 'medium',
    why: 'Blanks push this text out of sight; readers and short-sighted scanners stop before it.',
  },
  longLine: {
    id: 'SP607',
    name: 'very-long-line',
    severity: 'info',
    why: 'Nobody reads a line of thousands of characters to its end.',
  },
  encoded: {
    id: 'SP608',
    name: 'encoded-text',
    severity: 'low',
    why: 'Readable text is stored so that it cannot be read; what it says was looked at, too.',
  },
};

/** What files are, apart from what they say. */
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
    | 'pickle',
    Rule
  >
> = {
  program: {
    id: 'SP701',
    name: 'program',
    severity: 'high',
    why: 'A compiled program cannot be read; nobody can say what it does before it runs.',
  },
  bytecode: {
    id: 'SP702',
    name: 'bytecode',
    severity: 'high',
    why: 'Compiled code can differ from the source beside it, and it is what runs.',
  },
  disguised: {
    id: 'SP703',
    name: 'disguised-file',
    severity: 'critical',
    why: 'It is something that runs or unpacks, but its name says picture, text or document.',
  },
  unlike: {
    id: 'SP704',
    name: 'unlike-its-name',
    severity: 'medium',
    why: 'The content is not what the ending says.',
  },
  polyglot: {
    id: 'SP705',
    name: 'two-files-in-one',
    severity: 'high',
    why: 'The file is one thing to one reader and another thing to the next; the second one is hidden.',
  },
  special: {
    id: 'SP706',
    name: 'link-or-special-file',
    severity: 'medium',
    why: 'It is no plain file: it may lead out of the skill, or make a reader wait for ever.',
  },
  autostart: {
    id: 'SP707',
    name: 'file-that-tools-obey',
    severity: 'medium',
    why: 'Editors, agents, git or interpreters act on a file of this name without being asked.',
  },
  name: {
    id: 'SP708',
    name: 'misleading-name',
    severity: 'high',
    why: 'The name is made to be read as another one.',
  },
  active: {
    id: 'SP709',
    name: 'active-file-type',
    severity: 'high',
    why: 'Opening a file of this type can run what is in it.',
  },
  pickle: {
    id: 'SP710',
    name: 'pickled-data',
    severity: 'medium',
    why: 'Loading such data runs whatever code it holds.',
  },
};

/** What is packed, and what could not be looked into. */
export const ARCHIVES: Readonly<
  Record<'archive' | 'locked' | 'nested' | 'escape' | 'bomb' | 'unknown' | 'damaged' | 'unread', Rule>
> = {
  archive: {
    id: 'SP801',
    name: 'archive',
    severity: 'info',
    why: 'An archive brings files that are not seen in the folder; those listed here were looked at.',
  },
  locked: {
    id: 'SP802',
    name: 'locked-archive',
    severity: 'critical',
    why: 'Nobody can look inside without the password: that is the usual wrapping of malware.',
  },
  nested: {
    id: 'SP803',
    name: 'archive-in-archive',
    severity: 'medium',
    why: 'Archives are packed into archives to get past whoever looks only into the first.',
  },
  escape: {
    id: 'SP804',
    name: 'archive-that-escapes',
    severity: 'high',
    why: 'Unpacked carelessly, this entry lands outside the folder, or leads there.',
  },
  bomb: {
    id: 'SP805',
    name: 'too-much-to-unpack',
    severity: 'high',
    why: 'It unpacks to far more than it is, or to more than is looked at; the rest was not read.',
  },
  unknown: {
    id: 'SP806',
    name: 'archive-not-looked-into',
    severity: 'medium',
    why: 'It is packed in a way that is not read here; look into it yourself.',
  },
  damaged: {
    id: 'SP807',
    name: 'contradicting-archive',
    severity: 'high',
    why: 'The archive is broken or says two things about itself; unpackers differ in what they make of it.',
  },
  unread: {
    id: 'SP901',
    name: 'not-looked-at',
    severity: 'high',
    why: 'This was not read, so nothing is known about it.',
  },
};
