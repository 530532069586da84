import { signal } from '@preact/signals';

import type { WireFailure } from '../../../src/http/wire.ts';

/** Counts changes of data. Parts that show data read it again when this grows. */
export const revision = signal(0);

/** False while the server cannot be reached. */
export const isConnected = signal(true);

/** Why a server that was lost and answers again refuses this page. */
export const refusal = signal<WireFailure | undefined>(undefined);

/** How many questions wait for their answers. */
export const asking = signal(0);
