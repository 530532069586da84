import { HAS_POSTGRES, startPostgres } from './postgres.ts';

/** Starts one PostgreSQL for all tests, if it is installed. `TEST_POSTGRES` names its folder to them. */
export default function setup(): (() => void) | undefined {
  if (!HAS_POSTGRES) {
    console.warn('PostgreSQL is not installed on this machine: the hub is tested on the embedded database alone.');
    return undefined;
  }
  const server = startPostgres();
  process.env['TEST_POSTGRES'] = server.dir;
  return () => server[Symbol.dispose]();
}
