import type { HostId } from '../../model/host-id.ts';

/** A remedy that is one operation, so that a surface can offer to do it. */
export type CheckAction =
  | { readonly kind: 'setting'; readonly setting: string; readonly change: 'set' | 'add'; readonly value: string }
  /** Fix the SKILL.md in a folder. */
  | { readonly kind: 'fix'; readonly dir: string }
  /** Update a copy of a bundled skill. */
  | { readonly kind: 'copy'; readonly skill: string }
  /** Install a skill again as the lock has it. */
  | { readonly kind: 'restore'; readonly skill: string }
  /** Give a host the MCP server and the hook. */
  | { readonly kind: 'connect'; readonly host: HostId };
