import { settingNames } from '../../config/settings.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { complete } from '../input/complete.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';

/** Prints the script for a shell, or, called by that script, the words that fit. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, out } = invocation;
  const [shell = '', ...line] = args;
  if (shell === COMPLETE) return printWords(line, invocation);
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined || line.length > 0)
    throw new WrongUsage(`config completion takes ${Object.keys(SCRIPTS).join(', ')}`);
  out.raw(script.trim());
  return 0;
}

/** The first word that the scripts pass. */
const COMPLETE = 'words';
/** Tells the completion script to add file names. */
const FILES_MARK = ':files';

async function printWords(line: readonly string[], invocation: Invocation): Promise<ExitCode> {
  const { words, takesFiles } = await complete(line, invocation.commands, {
    async skills() {
      await using engine = await openEngine(invocation);
      return engine.catalog().skills.flatMap(({ name }) => name);
    },
    settings: () => settingNames,
  });
  for (const word of takesFiles ? [FILES_MARK, ...words] : words) invocation.out.raw(word);
  return 0;
}

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `
_skillplane() {
  local line word
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ${FILES_MARK} ]]; then compopt -o default; else COMPREPLY+=("$line"); fi
  done < <(skillplane config completion ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Bash splits words at colons; it wants back only what follows the last one.
  word=\${COMP_WORDS[COMP_CWORD]}
  if [[ $word == *:* ]]; then COMPREPLY=("\${COMPREPLY[@]#"\${word%"\${word##*:}"}"}"); fi
}
complete -F _skillplane skillplane
`,
  zsh: `
#compdef skillplane
_skillplane() {
  local -a words_found
  words_found=("\${(@f)$(skillplane config completion ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${words_found[(I)${FILES_MARK}]} )); then _files; words_found=("\${(@)words_found:#${FILES_MARK}}"); fi
  compadd -- "\${(@)words_found:#}"
}
# Found by zsh in a folder of functions, or read by a startup file.
if [[ $funcstack[1] == _skillplane ]]; then _skillplane "$@"; else compdef _skillplane skillplane; fi
`,
  fish: `
function __skillplane_complete
  set -l line (commandline -opc) (commandline -ct)
  for word in (skillplane config completion ${COMPLETE} -- $line[2..-1] 2>/dev/null)
    if test $word = ${FILES_MARK}
      __fish_complete_path (commandline -ct)
    else
      echo $word
    end
  end
end
complete -c skillplane -f -a '(__skillplane_complete)'
`,
};
