/** A text split into what a skill is for, and what it is explicitly not for. */
export interface SkillPurpose {
  readonly purpose: string;
  readonly excluded: string;
}

/** "Do not use for invoices" must not make a skill the answer to invoices. */
export function splitExclusions(text: string): SkillPurpose {
  const excluded: string[] = [];
  const purpose = text
    .replaceAll(EXCLUSION, (sentence) => {
      excluded.push(sentence);
      return ' ';
    })
    .replaceAll(WARNING, ' ');
  return { purpose, excluded: excluded.join('\n') };
}

/** The place of the first exclusion behind `from`; undefined if there is none. */
export function findExclusion(text: string, from: number): number | undefined {
  return [...text.matchAll(EXCLUSION)].find(({ index }) => index >= from)?.index;
}

/** The text with exclusions replaced by blanks, which keeps offsets. */
export function hideExclusions(text: string): string {
  return text.replaceAll(EXCLUSION, (sentence) => ' '.repeat(sentence.length));
}

/** Does this heading introduce what the skill is not for? */
export function isExclusionHeading(heading: string): boolean {
  return /^\W*(?:when (?:not|to (?:skip|avoid))\b|when (?:you should )?n(?:o|ever)|do(?: not|n't) use|not for|out of scope|non-goals|what this skill (?:does not|doesn't|is not))/i.test(
    heading,
  );
}

/** A sentence, or a clause behind a comma, dash or bracket, that keeps requests away from the skill. */
const EXCLUSION =
  /(?:^|(?<=[.!?;:,\n(\u2013\u2014-]|\bbut|\band|\bor))[\s*_]*(?:(?:do not|don't|never) (?:use|trigger|invoke|activate|apply|load|run|call)\b|(?:this (?:skill )?is )?not (?:for|when|if|intended|meant|suitable)\b|(?:skip|avoid)(?: this(?: skill)?| it)? (?:for|when|if)\b|use (?:this )?only\b.{0,40}\bnot\b|(?:(?:this|the|it)(?: skill)? )?does(?: not|n't) (?:cover|handle|include|address|apply|replace)\b)(?:[^.!?\n]|[.!?](?=\S))*(?:[.!?\n]|$)/gi;

/** Other sentences that begin with what not to do are not evidence for the skill either. */
const WARNING = /(?:^|(?<=[.!?;\n]))\s*(?:do not|don't|never|skip|avoid)(?:[^.!?\n]|[.!?](?=\S))*(?:[.!?\n]|$)/gi;
