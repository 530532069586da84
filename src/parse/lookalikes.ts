import { once } from '../model/once.ts';

/** Cyrillic and Greek letters that look like Latin ones. */
const latin = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      [
        ...'аaеeоoрpсcуyхxіiѕsјjһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTХXІIЅSЈJοoΟOΑAΒBΕEΗHΙIΚKΜMΝNΡPΤTΧXνv'.matchAll(/(.)(.)/gu),
      ].map(([, lookalike = '', letter = '']) => [lookalike, letter]),
    ),
);

const lookalikes = once(() => new RegExp(`[${[...latin().keys()].join('')}]`, 'g'));

/** Whether a letter looks like a Latin one. */
export function isLookalike(letter: string): boolean {
  return latin().has(letter);
}

/** The text with Latin letters in place of those that look like them. */
export function foldLookalikes(text: string): string {
  return text.replaceAll(lookalikes(), (letter) => latin().get(letter) ?? letter);
}
