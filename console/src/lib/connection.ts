import { signal } from '@preact/signals';

/** Counts changes of data. Parts that show data read it again when this grows. */
export const revision = signal(0);

/** False while the server cannot be reached. */
export const isConnected = signal(true);

/** How many questions wait for their answers. */
export const asking = signal(0);
