import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ActivationLedger, type Activation } from './activation-ledger.ts';

function activation(name: string, at: number, given: Partial<Activation> = {}): Activation {
  return { name, digest: `sha256:${name}`, tokens: 10, at, ...given };
}

function ledgerOf(...activations: readonly Activation[]): ActivationLedger {
  const ledger = new ActivationLedger();
  for (const one of activations) ledger.activate(one);
  return ledger;
}

function namesOf(activations: readonly Activation[]): readonly string[] {
  return activations.map(({ name }) => name);
}

test('the activation ledger holds a skill active only with the digest it was activated with', () => {
  const ledger = ledgerOf(activation('pdf', 1));
  expect(ledger.isActive('pdf', 'sha256:pdf')).toBe(true);
  expect(ledger.isActive('pdf', 'sha256:changed')).toBe(false);
  expect(ledger.isActive('docx', 'sha256:pdf')).toBe(false);
  expect(new ActivationLedger().isActive('pdf', 'sha256:pdf')).toBe(false);
});

test('the activation ledger keeps only the last activation of a skill', () => {
  const ledger = ledgerOf(activation('pdf', 1), activation('pdf', 2, { digest: 'sha256:new', tokens: 7 }));
  expect(ledger.isActive('pdf', 'sha256:pdf')).toBe(false);
  expect(ledger.list()).toEqual([{ name: 'pdf', digest: 'sha256:new', tokens: 7, at: 2 }]);
});

test('the activation ledger lists the newest activations first, and breaks ties by order of recording', () => {
  const ledger = ledgerOf(activation('a', 5), activation('b', 9), activation('c', 5), activation('d', 1));
  expect(namesOf(ledger.list())).toEqual(['b', 'c', 'a', 'd']);
  ledger.activate(activation('a', 5));
  expect(namesOf(ledger.list())).toEqual(['b', 'a', 'c', 'd']);
});

describe('compacting a conversation', () => {
  test('restores the newest skills within the token budget, and lists those that did not fit', () => {
    const ledger = ledgerOf(activation('old', 1), activation('mid', 2, { tokens: 5 }), activation('new', 3));
    const { restored, omitted } = ledger.compact(15);
    expect(restored).toEqual([activation('new', 3), activation('mid', 2, { tokens: 5 })]);
    expect(omitted).toEqual([activation('old', 1)]);
  });

  test('skips a skill that is too large and restores older ones instead', () => {
    const ledger = ledgerOf(activation('old', 1), activation('huge', 2, { tokens: 1_000 }), activation('new', 3));
    expect(namesOf(ledger.compact(20).restored)).toEqual(['new', 'old']);
  });

  test('makes skills that are not restored inactive', () => {
    const ledger = ledgerOf(activation('old', 1), activation('new', 2));
    ledger.compact(10);
    expect(ledger.isActive('new', 'sha256:new')).toBe(true);
    expect(ledger.isActive('old', 'sha256:old')).toBe(false);
    expect(namesOf(ledger.list())).toEqual(['new']);
  });

  test.each([0, -1, Number.NaN])('with a budget of %d restores nothing', (budget) => {
    expect(ledgerOf(activation('a', 1)).compact(budget)).toEqual({ restored: [], omitted: [activation('a', 1)] });
  });

  test('never exceeds its budget, and every skill is either restored or omitted, in order', () => {
    const entry = fc.record({ name: fc.string(), tokens: fc.nat(50), at: fc.nat(5), digest: fc.constant('d') });
    fc.assert(
      fc.property(fc.array(entry), fc.nat(200), (entries, budget) => {
        const ledger = ledgerOf(...entries);
        const before = ledger.list();
        const { restored, omitted } = ledger.compact(budget);
        expect(restored.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(budget);
        expect(before.filter((one) => restored.includes(one))).toEqual(restored);
        expect(before.filter((one) => omitted.includes(one))).toEqual(omitted);
        expect(restored.length + omitted.length).toBe(before.length);
        expect(ledger.list()).toEqual(restored);
      }),
    );
  });
});

describe('an activation ledger saved as JSON', () => {
  test('is read back with the same activations in the same order', () => {
    const ledger = ledgerOf(activation('__proto__', 5), activation('b', 5), activation('c', 1));
    const read = ActivationLedger.from(JSON.parse(JSON.stringify(ledger)));
    expect(read.ok && read.ledger.list()).toEqual(ledger.list());
    expect(JSON.stringify(read.ok && read.ledger)).toBe(JSON.stringify(ledger));
  });

  test('contains no unknown fields of its activations', () => {
    const ledger = ledgerOf({ ...activation('a', 1), secret: 'x' } as Activation);
    expect(JSON.stringify(ledger)).toBe(
      '{"version":1,"activations":[{"name":"a","digest":"sha256:a","tokens":10,"at":1}]}',
    );
  });

  test.each([
    undefined,
    null,
    [],
    {},
    { activations: [] },
    { version: 2, activations: [] },
    { version: 1, activations: {} },
    { version: 1, activations: [null] },
    { version: 1, activations: [{ ...activation('a', 1), name: 1 }] },
    { version: 1, activations: [{ ...activation('a', 1), digest: undefined }] },
    { version: 1, activations: [{ ...activation('a', 1), tokens: null }] },
    { version: 1, activations: [{ ...activation('a', 1), tokens: -1 }] },
    { version: 1, activations: [activation('a', 1), activation('b', Infinity)] },
  ])('is refused if it is invalid: %j', (saved) => {
    expect(ActivationLedger.from(saved)).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      message: 'the saved ledger of skills has an unknown format',
    });
  });
});
