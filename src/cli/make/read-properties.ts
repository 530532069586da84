import { readProperties } from '../../author/read-skill.ts';
import { resolvePaths, type ExitCode, type Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { encodeAsciiJson } from '../output/encode.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const [path = '', extra] = resolvePaths(invocation);
  if (extra !== undefined) throw new WrongUsage('--properties takes one skill');
  const read = readProperties(path);
  if (!read.ok) return reportFailure(invocation, read);
  invocation.out.raw(encodeAsciiJson(read.properties));
  return 0;
}
