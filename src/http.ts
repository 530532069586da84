/** Serves HTTP for programs of your own, with the limits that our servers have. */

/** Listens on an address. No client can hold up others by sending or reading slowly, or by sending too much. */
export { listenHttp, type HttpClient, type HttpListener, type ListenOptions } from './platform/http/listen.ts';
export type { ConnectionLimits } from './platform/http/connections.ts';
export { isLoopback, LOOPBACK_HOSTS, type Refuse } from './platform/http/guard.ts';

/** Serves a built page from memory, under headers that let it load and ask nothing elsewhere. */
export { PAGE_HEADERS, readPageFiles, servePage, type PageFile, type PageFiles } from './http/page-files.ts';
