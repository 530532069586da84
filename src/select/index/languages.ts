import { once } from '../../model/once.ts';

/** Languages in Latin letters whose words have other endings than English ones. */
export type Language = 'de' | 'es' | 'fr' | 'pt';

/** The language of a text by its small words; undefined for English, for other scripts, and where it cannot be told. */
export function languageOf(text: string): Language | undefined {
  const start = text.slice(0, READ_CHARACTERS);
  if (isSurelyEnglish(start)) return undefined;
  const counts: Record<Language | 'en', number> = { en: 0, de: 0, es: 0, fr: 0, pt: 0 };
  for (const word of start.toLowerCase().match(LATIN_WORDS) ?? [])
    for (const language of spoken().get(word) ?? NONE) counts[language] += 1;
  let best: Language | undefined;
  for (const language of LANGUAGES)
    if (counts[language] > (best === undefined ? counts.en : counts[best])) best = language;
  return best;
}

/** Enough to tell a language by. */
const READ_CHARACTERS = 600;
/** Nearly all texts are in English, and this is far quicker than counting. */
function isSurelyEnglish(text: string): boolean {
  return /\b(?:the|and|of|to|for|with|this|that)\b(?:.*?\b(?:the|and|of|to|for|with|this|that)\b){2}/s.test(text);
}

const NONE: readonly never[] = [];
const LATIN_WORDS = /[a-z\u00df-\u00ff]+/g;

/**
 * Small words of each language. `*` marks those that may also be English or code: they do not count for telling it.
 * They say nothing about the subject.
 */
const SMALL_WORDS: Readonly<Record<Language | 'en', string>> = {
  en: 'the and of to for with is are this that when or a an in on it you your use from as be by not my please',
  de: `und der die* das den dem des* ein eine einen einem einer für mit ist sind von zu zum zur auf im in* an* am* aus bei
    nicht oder wenn wie wird werden ich du sie wir mir mich mein meine meinen meiner dein deine bitte kannst kann soll als*
    auch es* nach über um bis man* diese dieser dieses diesen daraus alle`,
  es: `el la las los un* una unos unas de* del y en* para por con* que es* se su sus mi mis me* te* lo al como* cuando o* a*
    este esta estos estas desde sin* más favor puedes quiero necesito hay son*`,
  fr: `le la les un* une des* du de* et en* pour par avec que qui est sont dans sur* au aux ce cette ces mon ma* mes ou où
    quand se ne pas plus* je tu nous vous moi il elle leur à lorsque peux veux`,
  pt: `o* a* os* as* um* uma uns umas de* do* da dos* das* e* em para por com* que é são se no* na nos nas meu minha meus
    minhas ao à quando como* este esta ou preciso quero você não mais`,
};

const LANGUAGES = ['de', 'es', 'fr', 'pt'] as const satisfies readonly Language[];

/** For each small word, the languages that it tells. */
const spoken = once(tellingWords);

function tellingWords(): Map<string, (Language | 'en')[]> {
  const told = new Map<string, (Language | 'en')[]>();
  for (const language of ['en', ...LANGUAGES] as const)
    for (const word of SMALL_WORDS[language].split(/\s+/)) {
      if (word.endsWith('*')) continue;
      told.set(word, [...(told.get(word) ?? []), language]);
    }
  return told;
}

/** The small words of a language as they are read: without accents. */
const STOP_WORDS: Readonly<Record<Language, () => ReadonlySet<string>>> = {
  de: once(() => stopWordsOf('de')),
  es: once(() => stopWordsOf('es')),
  fr: once(() => stopWordsOf('fr')),
  pt: once(() => stopWordsOf('pt')),
};

function stopWordsOf(language: Language): ReadonlySet<string> {
  const words = SMALL_WORDS[language]
    .replaceAll('*', '')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
  return new Set(words.split(/\s+/));
}

/** Endings of nouns, adjectives and verbs. Longer ones are taken off first, since a match begins as early as it can. */
const ENDINGS: Readonly<Record<Language, RegExp>> = {
  de: /(?:ungen|ung|ern|em|en|er|es|e|n|s)$/,
  es: /(?:aciones|acion|ciones|cion|iendo|ando|[ai]d[ao]s?|amos|emos|imos|mente|ar|er|ir|an|en|as|es|os|a|e|o|s)$/,
  fr: /(?:issements?|ations?|ateurs?|ements?|antes?|ants?|aient|ees?|ait|ent|ons|er|ez|ir|is|it|es|e|s)$/,
  pt: /(?:acoes|acao|coes|cao|ando|endo|indo|[ai]d[ao]s?|amos|mente|ar|er|ir|am|em|as|es|os|a|e|o|s)$/,
};

/** Fewer letters would say too little. */
const LEAST_LETTERS = 3;
const LEAST_GERMAN_LETTERS = 4;

/**
 * The form that the inflections of a word have in common, marked with its language, so that no English word is like it.
 * Undefined for a word without inflections.
 */
export function lightStem(token: string, language: Language): string | undefined {
  if (!/^[a-z]{4,}$/.test(token)) return undefined;
  const least = language === 'de' ? LEAST_GERMAN_LETTERS : LEAST_LETTERS;
  const root = token.slice(0, least) + token.slice(least).replace(ENDINGS[language], '');
  // erstellt, erstellen; Bericht, Berichte
  const bare = language === 'de' && root.length > LEAST_GERMAN_LETTERS ? root.replace(/s?t$/, '') : root;
  return `${bare}-${language}`;
}

/** The same for each language. */
export function lightStems(token: string): readonly string[] {
  return LANGUAGES.flatMap((language) => lightStem(token, language) ?? []);
}

/** Is it one of the small words of a language, which say nothing about the subject? */
export function isSmallWord(token: string, language: Language): boolean {
  return STOP_WORDS[language]().has(token);
}

/** Takes the endings off a Russian word in small letters, as nouns, adjectives and verbs have them. */
export function stemRussian(word: string): string {
  const bare = word.replace(/(?<=.{3})с[яь]$/, '');
  return bare.slice(0, LEAST_LETTERS) + bare.slice(LEAST_LETTERS).replace(RUSSIAN_ENDING, '');
}

const RUSSIAN_ENDING =
  /(?:[аеяи]?ни(?:ями|ем|ям|ях|[еяюи])|ками|кам|ках|к[ауие]|кой|ок|ыми|ими|ями|ами|[ое]го|[ое]му|[еи]шь|[еи]те|у[ею]т|я[ею]т|а[ею]т|[иаяеы]ть|[ая]х|[ая]м|[оеыи]м|[ое]в|[еоыи]й|[ыи]х|[еи]т|[уюая]т|т[ьи]|(?<=[аеиыуя])л[аои]?)?[аеиоуыэюяьъй]*$/;

/** Takes the particles and the endings of `하다` off a Korean word; two syllables stay. */
export function stemKorean(word: string): string {
  return word.slice(0, 2) + word.slice(2).replace(KOREAN_ENDING, '');
}

const KOREAN_ENDING =
  /(?:[어아여]?주세요|[어아여]?줘요?|[어아여]서|습니다|나요|에서는|에서|에게|으로|까지|부터|처럼|보다|하고|이나|이라는|라는|입니다|합니다|됩니다|하세요|해주세요|해줘요?|해줄래요?|해라|하기|하는|하여|해서|하면|하도록|한다|된다|되는|할|한|해|된|을|를|이|가|은|는|의|에|로|와|과|도|만|들)+$/;
