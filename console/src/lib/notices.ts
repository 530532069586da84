import { signal } from '@preact/signals';

import type { WireFailure } from '../../../src/http/wire.ts';
import type { NextStep } from '../../../src/model/next-step.ts';

/** Something that was just done, or could not be done. */
export interface Notice {
  readonly kind: 'done' | 'failed';
  readonly text: string;
  readonly detail?: string | undefined;
  readonly next?: NextStep | undefined;
  readonly undo?: (() => void) | undefined;
}

export const notice = signal<Notice | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a notice; one that says that all went well leaves by itself. */
export function notify(given: Notice): void {
  clearTimeout(timer);
  notice.value = given;
  if (given.kind === 'done') timer = setTimeout(dismiss, SHOWN_MS);
}

export function dismiss(): void {
  notice.value = undefined;
}

export function notifyFailure({ message, next }: WireFailure): void {
  notify({ kind: 'failed', text: message, next });
}

const SHOWN_MS = 12_000;
