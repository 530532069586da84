/** A part of a skill's instructions under one heading. */
export interface Section {
  readonly heading: string;
  readonly text: string;
}

/** More of the instructions is not read. */
const BODY_CHARACTERS = 12_000;
/** A longer section is cut, so that "in the same section" means "near". */
const SECTION_CHARACTERS = 2_500;
/** A shorter one goes with the next. */
const LEAST_CHARACTERS = 400;

/** The instructions in sections by their headings, at most `most` of them; the last one takes what is left. */
export function splitSections(body: string, most: number): readonly Section[] {
  const text = body.slice(0, BODY_CHARACTERS);
  const sections: Section[] = [];
  let start = 0;
  let heading = '';
  const end = (at: number, next: string): void => {
    while (at - start > SECTION_CHARACTERS && sections.length < most - 1) {
      sections.push({ heading, text: text.slice(start, start + SECTION_CHARACTERS) });
      start += SECTION_CHARACTERS;
    }
    if (at > start && (sections.length < most - 1 || at === text.length)) {
      sections.push({ heading, text: text.slice(start, at) });
      start = at;
    }
    heading = next;
  };
  for (const { at, title } of findHeadings(text)) if (at - start >= LEAST_CHARACTERS) end(at, title);
  end(text.length, '');
  return sections;
}

/** A line of Markdown that begins a section, of the four upper levels. */
export interface Heading {
  readonly at: number;
  readonly title: string;
}

/** The headings of a text, in their order. */
export function* findHeadings(text: string): Generator<Heading> {
  const heading = /^#{1,4} +(.*)$/my;
  // Far faster than to look for the beginning of each line.
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    heading.lastIndex = at;
    const match = heading.exec(text);
    if (match !== null) yield { at, title: match[1] ?? '' };
  }
}
