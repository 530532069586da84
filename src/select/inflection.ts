import { once } from '../model/once.ts';

/**
 * The forms of an English verb in lower case: deploy, deploys, deployed, deploying. Of a verb of several words the
 * first or the last changes: "set up" gives "setting up", "fine tune" gives "fine tuned". Other words stay as they are.
 */
export function inflect(verb: string): readonly string[] {
  const words = verb.split(' ');
  const first = words[0] ?? '';
  const last = words.at(-1) ?? '';
  const begins = formsOf(first).map((form) => [form, ...words.slice(1)].join(' '));
  const ends = formsOf(last).map((form) => [...words.slice(0, -1), form].join(' '));
  return [...new Set([verb, ...begins, ...ends])];
}

function formsOf(word: string): readonly string[] {
  if (!/^[a-z]{2,}$/.test(word) || !/[aeiouy]/.test(word)) return [];
  return [...thirdPerson(word), ...(findPast(word) ?? addEnding(word, 'ed')), ...addEnding(word, 'ing')];
}

function thirdPerson(word: string): readonly string[] {
  if (word === 'have') return ['has'];
  if (/[^aeiou]o$/.test(word)) return [`${word}es`, `${word}s`];
  if (/[aeiou]z$/.test(word)) return [`${word}zes`];
  if (/(?:s|x|z|ch|sh)$/.test(word)) return [`${word}es`];
  return [/[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`];
}

/** `ed` or `ing`, and how it changes the letters before it. */
function addEnding(word: string, ending: 'ed' | 'ing'): readonly string[] {
  const isPast = ending === 'ed';
  if (word.endsWith('ie')) return [isPast ? `${word}d` : `${word.slice(0, -2)}ying`];
  if (/(?:ee|oe|ye)$/.test(word)) return [isPast ? `${word}d` : `${word}ing`];
  if (word.endsWith('e')) return [`${word.slice(0, -1)}${ending}`];
  if (isPast && /[^aeiou]y$/.test(word)) return [`${word.slice(0, -1)}ied`];
  if (word.endsWith('ic')) return [`${word}k${ending}`];
  const plain = `${word}${ending}`;
  if (!/(?:^|[^aeiou]|qu)[aeiouy][^aeiouwxy]$/.test(word)) return [plain];
  const doubled = `${word}${word.at(-1)}${ending}`;
  // In longer words only stress decides (committed, edited): both forms are used.
  return /[aeiouy][^aeiouy]+[aeiouy]/.test(word) ? [plain, doubled] : [doubled];
}

/** The past forms of an irregular verb, also behind a prefix: rewrite, undo, override. */
function findPast(word: string): readonly string[] | undefined {
  const own = irregular().get(word);
  const prefix = own === undefined ? /^(?:re|un|over|under|out|up|mis)/.exec(word)?.[0] : '';
  if (prefix === undefined) return undefined;
  return (own ?? irregular().get(word.slice(prefix.length)))?.map((form) => `${prefix}${form}`);
}

/** Verb, then its past forms; without one it stays as it is. */
const irregular = once(
  (): ReadonlyMap<string, readonly string[]> =>
    new Map(
      `become became,begin began begun,bind bound,break broke broken,bring brought,build built,buy bought,catch caught,
  choose chose chosen,come came,cut cut,deal dealt,dig dug,do did done,draw drew drawn,drive drove driven,eat ate eaten,
  feed fed,feel felt,fight fought,find found,fly flew flown,forget forgot forgotten,freeze froze frozen,get got gotten,
  give gave given,go went gone,grow grew grown,hang hung,have had,hear heard,hide hid hidden,hit hit,hold held,keep kept,
  know knew known,lay laid,lead led,learn learned learnt,leave left,let let,light lit lighted,lose lost,make made,mean meant,
  meet met,pay paid,put put,quit quit,read read,ride rode ridden,ring rang rung,rise rose risen,run ran,say said,see saw seen,
  seek sought,sell sold,send sent,set set,shake shook shaken,shine shone,shoot shot,show showed shown,shut shut,sing sang sung,
  sit sat,sleep slept,speak spoke spoken,spell spelled spelt,spend spent,spin spun,split split,spread spread,stand stood,
  stick stuck,strike struck,swim swam swum,take took taken,teach taught,tell told,think thought,throw threw thrown,
  understand understood,wake woke woken,wear wore worn,win won,wind wound,write wrote written`
        .split(/,\s*/)
        .map((row) => row.split(' '))
        .map(([verb = '', ...past]) => [verb, past]),
    ),
);
