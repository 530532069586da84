/** Commands after which rules look far ahead: a text full of them would take thousands of times as long as any other. */
const COMMANDS = /\b(?:curl|wget|fetch|iwr|irm|iex|eval|exec)\b/gi;
/** A command this close to the one before belongs to a crowd. */
const NEAR = 40;
/** A crowd of this size is no script that anyone wrote. */
const MANY = 64;
/** So many characters lie between those that stay; rules look further ahead. */
const SPACING = 200;

export interface ThinnedText {
  readonly text: string;
  /** The offset of the first command that was taken out. */
  readonly firstOut: number | undefined;
}

/**
 * Takes commands out of a long crowd of them, so that rules take linear time. The first ones stay, then some of
 * the others. Offsets stay the same.
 */
export function thinCrowd(text: string): ThinnedText {
  let firstOut: number | undefined;
  let [last, kept, crowd] = [-Infinity, -Infinity, 0];
  const thinned = text.replaceAll(COMMANDS, (command, at: number) => {
    crowd = at - last <= NEAR ? crowd + 1 : 0;
    last = at;
    if (crowd < MANY || at - kept > SPACING) {
      kept = at;
      return command;
    }
    firstOut ??= at;
    return '_'.repeat(command.length);
  });
  return { text: thinned, firstOut };
}
