import type { Skills } from '../../engine/open-skills.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Output, Piece } from './output.ts';

const STYLES = { error: 'red', warning: 'yellow', info: 'dim' } as const;

/** `warning YAML_RECOVERED pdf/SKILL.md:3: message` */
export function diagnosticLine({ severity, code, path, line, message }: Diagnostic): readonly Piece[] {
  const place = line === undefined ? path : `${path}:${line}`;
  return [{ text: severity, style: STYLES[severity] }, ` ${code} ${place}: ${message}`];
}

/** Skills are listed even if the configuration cannot be read, so the problem is printed with them. */
export function reportConfigTrouble(catalog: ReturnType<Skills['catalog']>, out: Output): void {
  for (const diagnostic of catalog.troubles ?? catalog.diagnostics)
    if (diagnostic.code === 'CONFIG_INVALID') out.error(...diagnosticLine(diagnostic));
}
