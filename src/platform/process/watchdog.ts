import { MARK_VARIABLE } from './marked-processes.ts';

/** The descriptor on which the watchdog waits. Its other end must belong to us alone. */
export const WATCHDOG_DESCRIPTOR = 3;

/**
 * Wraps a command that leads a process group, so that the group ends when we do, even if we are killed: a shell in the group
 * waits for the end of a pipe that only we hold open. On Linux it also ends processes that left the group but carry
 * the same mark. The command does not inherit the pipe.
 */
export function withWatchdog(command: readonly string[], shell: string): readonly string[] {
  return [shell, '-c', WATCH, 'sh', ...command];
}

/** `$$` stays the id of the first shell, which becomes the command. */
const WATCH = `{
read -r _ <&${WATCHDOG_DESCRIPTOR}
if [ -n "$${MARK_VARIABLE}" ] && read -r self _ </proc/self/stat
then
  for dir in /proc/[0-9]*
  do
    case "\${dir#/proc/}" in "$self"|"$$") continue;; esac
    if tr '\\0' '\\n' <"$dir/environ" | grep -qxF "${MARK_VARIABLE}=$${MARK_VARIABLE}"
    then kill -KILL "\${dir#/proc/}"
    fi
  done
fi
kill -KILL -$$
} </dev/null >/dev/null 2>&1 &
exec ${WATCHDOG_DESCRIPTOR}<&-
exec "$@"`;
