import { signal } from '@preact/signals';

import type { UpdateList } from './answers.ts';

/** Findings of pages that the menu shows beside their names, as long as the page is open. Looking for either takes long. */

/** The updates that the last check found; undefined before the first. */
export const foundUpdates = signal<UpdateList | undefined>(undefined);

/** How many problems Health showed last that are not of skills or lists, such as a missing git; none before it was opened. */
export const otherProblems = signal(0);
