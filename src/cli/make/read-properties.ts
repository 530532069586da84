import { readProperties } from '../../author.ts';
import { resolvePaths, type ExitCode, type Invocation } from '../command.ts';
import { encodeAsciiJson } from '../output/encode.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const read = readProperties(resolvePaths(invocation)[0] ?? '');
  if (!read.ok) return reportFailure(invocation, read);
  invocation.out.raw(encodeAsciiJson(read.properties));
  return 0;
}
