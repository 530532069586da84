import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import type { Skill } from '../model/skill.ts';
import { openGlossary } from './index/glossary.ts';
import { SkillRegistry, splitResults } from './registry.ts';

const SKILLS: readonly Skill[] = [
  make('pdf', { description: 'Fill and split PDF forms. Do not use for invoices.', tags: ['Office', 'documents'] }),
  make('invoices', { description: 'Write invoices for customers.', tags: ['office'], domain: 'business' }),
  make('deploy', { description: 'Ship a service to production.', tags: ['devops'] }),
  make('rollback', { description: 'Undo a bad release.', tags: ['devops'] }),
];
const BODIES: Readonly<Record<string, string>> = { deploy: '# Deploy\n\nRun kubernetes manifests with helm charts.' };

function make(name: string, fields: Readonly<Record<string, unknown>>): Skill {
  return foundSkill(`/skills/${name}`, { name, ...fields }).skill;
}

function open(skills: readonly Skill[] = SKILLS): SkillRegistry {
  return SkillRegistry.over(skills, { readBody: ({ name }) => BODIES[name] ?? '' });
}

const namesOf = (results: readonly { readonly name: string }[]): readonly string[] => results.map(({ name }) => name);

describe('search', () => {
  test('returns a skill named exactly like the query first', () => {
    expect(open().search('deploy')[0]).toEqual({
      id: 'deploy',
      name: 'deploy',
      title: 'Title',
      description: 'Ship a service to production.',
      tags: ['devops'],
      score: 1,
      confidence: 1,
      reasons: ['exact name'],
    });
  });

  test('finds a skill by a request in plain words, with a lower score than any literal match', () => {
    const [first] = open().search('please fill in this form for me');
    expect(first).toMatchObject({ name: 'pdf', reasons: ['"fill" and "form" in its description or tags'] });
    expect(first?.score).toBeGreaterThan(0);
    expect(first?.score).toBeLessThan(0.5);
  });

  test('marks only results as weak that share few words with the request', () => {
    const registry = open();
    const request = 'undo the tiles that a painter glued to my bathroom walls with the wrong mortar';
    const [weak] = registry.search(request);
    expect(weak).toMatchObject({ name: 'rollback', weak: true });
    for (const query of ['deploy', 'office', 'fill in a pdf form', ''])
      expect(registry.search(query)[0]).not.toHaveProperty('weak');
    const { strong, weak: others } = splitResults(registry.search(`${request}, deploy`));
    expect(namesOf([...strong, ...others])).toEqual(namesOf(registry.search(`${request}, deploy`)));
  });

  test('also searches the instructions, and the reasons say so', () => {
    expect(open().search('apply my helm chart')[0]).toMatchObject({
      name: 'deploy',
      reasons: ['"helm" and "chart" in its instructions'],
    });
  });

  test('shows one result for near-duplicate skills and names the others', () => {
    const text = 'Translate subtitles of films between many languages with care for names and timing.';
    const copies = ['subtitles', 'subtitles-copy', 'subtitles-old'].map((name) => make(name, { description: text }));
    const results = open([...SKILLS, ...copies]).search('translate the film for me');
    expect(namesOf(results)).toEqual(['subtitles']);
    expect(results[0]?.reasons).toContain('near duplicates: subtitles-copy, subtitles-old');
    expect(results[0]?.nearDuplicates).toEqual(['subtitles-copy', 'subtitles-old']);
    expect(namesOf(open(copies).search('subtitles-old'))).toContain('subtitles-old');
  });

  test('tolerates typos and unfinished words that no skill contains', () => {
    expect(open().search('prodution')[0]).toMatchObject({
      name: 'deploy',
      reasons: ['"prodution" in its description or tags'],
    });
    expect(open().search('kubern')[0]).toMatchObject({ name: 'deploy' });
  });

  test('does not find a skill by what it says it is not for', () => {
    expect(namesOf(open().search('customer wants two invoices'))).not.toContain('pdf');
  });

  test('ranks another skill first if a skill says it is not for the request', () => {
    const skills = [
      make('flow', { description: 'Build record flows. NOT for approval chains.' }),
      make('chains', { description: 'Approval chains, step by step.' }),
    ];
    const results = open(skills).search('approval chain for a record', { withParts: true });
    const flow = results.find(({ name }) => name === 'flow');
    expect(results[0]?.name).toBe('chains');
    expect(flow?.reasons).toContain('its description says it is not for "approval" and "chain"');
    expect(flow?.parts?.find(({ part }) => part === 'excluded')?.points).toBeLessThan(0);
  });

  test('gives little weight to what a request rules out', () => {
    const skills = [
      make('litestar', { description: 'Litestar uploads and tasks.' }),
      make('fastapi', { description: 'FastAPI uploads and tasks.' }),
    ];
    expect(open(skills).search('my uploads are in fastapi, not litestar')[0]?.name).toBe('fastapi');
    expect(open(skills).search('my uploads are in litestar, not fastapi')[0]?.name).toBe('litestar');
  });

  test('is more confident the more of the request a skill covers and the further it is ahead', () => {
    const confidenceOf = (query: string, skills = SKILLS): number => open(skills).search(query)[0]?.confidence ?? 0;
    expect(confidenceOf('ship a service to production')).toBeGreaterThan(confidenceOf('ship a parcel to my aunt'));
    const rival = make('ship', { description: 'Ship any service to some production stage.' });
    expect(confidenceOf('ship my service', [...SKILLS, rival])).toBeLessThan(confidenceOf('ship my service'));
    for (const { confidence } of open().search('ship and undo a release of the service for customers')) {
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThan(1);
    }
  });

  test('returns the parts of a relevance on request, and they add up to the order', () => {
    const results = open().search('undo the bad release of a service', { withParts: true });
    const points = results.map(({ parts = [] }) => parts.reduce((sum, part) => sum + part.points, 0));
    expect(points).toEqual(points.toSorted((a, b) => b - a));
    expect(results[0]?.parts?.map(({ part }) => part)).toContain('metadataPairs');
    expect(open().search('undo the bad release')[0]).not.toHaveProperty('parts');
  });

  test('finds a Chinese skill by an English and by a Chinese request', () => {
    const skills = [...SKILLS, make('qianyi', { description: '数据库迁移' })];
    const glossary = openGlossary(() => '数据库 database\n迁移 migrate; migration');
    const registry = SkillRegistry.over(skills, { readBody: () => '', glossary });
    expect(registry.search('migrate a database')[0]?.name).toBe('qianyi');
    expect(registry.search('迁移我的数据库')[0]?.name).toBe('qianyi');
  });

  test('filters by all tags in any case and by the exact domain', () => {
    expect(namesOf(open().search('', { tags: ['OFFICE'] }))).toEqual(['invoices', 'pdf']);
    expect(namesOf(open().search('', { tags: ['office', 'documents'] }))).toEqual(['pdf']);
    expect(namesOf(open().search('', { domain: 'business' }))).toEqual(['invoices']);
    expect(namesOf(open().search('', { domain: 'Business' }))).toEqual([]);
    expect(namesOf(open().search('write', { tags: ['devops'] }))).toEqual([]);
  });

  test('sorts equal scores by name and respects the limit', () => {
    expect(namesOf(open().search('devops'))).toEqual(['deploy', 'rollback']);
    expect(namesOf(open().search('devops', {}, 1))).toEqual(['deploy']);
    expect(open().search('devops', {}, 0)).toEqual([]);
  });

  test('finds nothing for a request that shares no word with any skill', () => {
    expect(open().search('zzz qqq')).toEqual([]);
    expect(open([]).search('anything')).toEqual([]);
  });

  test('never throws, even for a megabyte, lone surrogates, pattern signs or only marks', () => {
    for (const query of ['form '.repeat(250_000), '\uD83D form \uDE00', '(((.*[+?^$', '\u0301\u0301', '\0']) {
      expect(Array.isArray(open().search(query))).toBe(true);
    }
  });
});
