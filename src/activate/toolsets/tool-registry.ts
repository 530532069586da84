import { explainThrown } from '../../model/foreign-values.ts';
import { listSome } from '../../model/list-some.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { readArguments } from './tool-arguments.ts';
import { longName, nameTools, toSafeName } from './tool-names.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

/** The default timeout of a call; the same as for a script. */
export const DEFAULT_CALL_TIMEOUT_MS = 60_000;

const SHORT_LIST = 10;

export interface CallOptions extends Partial<ToolContext> {
  readonly timeoutMs?: number | undefined;
}

/** A tool with its unique name in this registry. */
export interface RegisteredTool extends Tool {
  readonly skill: string | undefined;
  /** As `ToolRegistry.call`. */
  readonly execute: (args: unknown, options?: CallOptions) => Promise<Outcome<ToolResult>>;
}

interface Entry {
  readonly tool: Tool;
  readonly ownName: string;
  readonly skill: string | undefined;
}

/** The tools that an agent may call, each with a unique name (see `nameTools`). */
export class ToolRegistry {
  #entries: readonly Entry[] = [];
  #named: ReadonlyMap<string, Entry> = new Map();

  /** Fails if this skill, or the host, already has a tool of that name. */
  register(tool: Tool, { skill }: { readonly skill?: string | undefined } = {}): Outcome {
    const { name: ownName } = tool;
    if (this.#entries.some((entry) => entry.ownName === ownName && entry.skill === skill))
      return fail('ALREADY_EXISTS', `${skill ?? 'the host'} already has a tool "${ownName}"`);
    this.#entries = [...this.#entries, { tool, ownName, skill }];
    this.#named = nameTools(this.#entries);
    return { ok: true };
  }

  /** All tools, sorted by name. A later `register` may give a tool a longer name; tools listed earlier still work. */
  list(): readonly RegisteredTool[] {
    return [...this.#named].map(([name, entry]) => present(name, entry));
  }

  /** Finds a tool by its name, or by `<skill>_<name>` even if it is not listed so. */
  get(name: string): RegisteredTool | undefined {
    const entry = this.#named.get(name);
    if (entry !== undefined) return present(name, entry);
    const [match, ...others] = this.#entries.filter((candidate) => longName(candidate) === name);
    return match === undefined || others.length > 0 ? undefined : present(name, match);
  }

  /**
   * Calls a tool and waits for its result, 60 s by default. Never rejects: wrong arguments, a missing tool, and a tool that
   * throws or does not end are failures.
   */
  async call(name: string, args: unknown, options: CallOptions = {}): Promise<Outcome<ToolResult>> {
    return (await this.get(name)?.execute(args, options)) ?? this.#explainMissing(name);
  }

  #explainMissing(name: string): Failure {
    const meant = this.list().filter(({ name: listed }) => listed.endsWith(`_${toSafeName(name)}`));
    const candidates = (meant.length > 0 ? meant : this.list()).map((tool) => tool.name);
    const known =
      candidates.length === 0 ? 'there are no tools' : `there are ${listSome(candidates, { most: SHORT_LIST })}`;
    return fail('RESOURCE_NOT_FOUND', `no tool called "${name}"; ${known}`);
  }
}

function present(name: string, { tool, skill }: Entry): RegisteredTool {
  return {
    name,
    skill,
    description: tool.description,
    schema: () => tool.schema(),
    async execute(args, { signal, timeoutMs = DEFAULT_CALL_TIMEOUT_MS, ...context } = {}) {
      const read = readArguments(args);
      if (!read.ok) return { ...read, message: `${name}: ${read.message}` };
      try {
        return await withDeadline({ who: name, timeoutMs, signal }, (stop) =>
          tool.execute(read.args, { ...context, signal: stop }),
        );
      } catch (error) {
        return fail('TOOLSET_FAILED', `${name} failed: ${explainThrown(error)}`);
      }
    },
  };
}
