/** Cyrillic and Greek letters that look like Latin ones. */
const LATIN: ReadonlyMap<string, string> = new Map(
  [...'аaеeоoрpсcуyхxіiѕsјjһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTХXІIЅSЈJοoΟOΑAΒBΕEΗHΙIΚKΜMΝNΡPΤTΧXνv'.matchAll(/(.)(.)/gu)].map(
    ([, lookalike = '', latin = '']) => [lookalike, latin],
  ),
);

const LOOKALIKES = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'g');

/** Whether a letter looks like a Latin one. */
export function isLookalike(letter: string): boolean {
  return LATIN.has(letter);
}

/** The text with Latin letters in place of those that look like them. */
export function foldLookalikes(text: string): string {
  return text.replaceAll(LOOKALIKES, (letter) => LATIN.get(letter) ?? letter);
}
