import { readFile } from 'node:fs/promises';

import {
  contextSection,
  defineSkill,
  discloseCatalog,
  discoverCommandFiles,
  discoverSkills,
  discoverSkillsFromDir,
  doctor,
  evaluateSkills,
  fromFile,
  loadAll,
  matchTriggers,
  mcpSource,
  memorySource,
  openSkills,
  parseSkill,
  SkillContextProvider,
  SkillLoader,
  SkillManifestSchema,
  SkillReflector,
  SkillRegistry,
  SkillStore,
  systemPromptSection,
  Tool,
  ToolRegistry,
  validate,
  VERSION,
  webSource,
} from 'skillplane';

const skills = await openSkills({ dirs: ['./skills'] });

// #region openSkills
{
  const skills = await openSkills({ dirs: ['./skills'] }); // without `dirs`: all skills of this user and project
  const [best] = await skills.search({ query: 'fill in a form' });
  console.log(best?.name); // pdf
  const loaded = await skills.load('pdf');
  console.log(loaded.ok && loaded.resources.map(({ path }) => path)); // [ 'evals/requests.jsonl', 'scripts/fill.sh' ]
  await skills.close();
}
// #endregion

// #region defineSkill
{
  const refunds = defineSkill({
    name: 'refunds',
    description: 'Answer a customer who wants their money back.',
    instructions: 'Read references/terms.md first.',
    files: { 'references/terms.md': 'Thirty days.' },
  });
  console.log(Object.keys(refunds.files)); // [ 'references/terms.md', 'SKILL.md' ]
}
// #endregion

// #region memorySource
{
  const own = memorySource([
    defineSkill({ name: 'greet', description: 'Greet a customer.', instructions: 'Say hello.' }),
  ]);
  const shop = await openSkills({ dirs: ['./skills'], sources: [{ source: own, trusted: true }] });
  console.log(shop.list().map(({ name, source }) => `${name} from ${source}`)); // [ 'greet from source:memory', 'pdf from custom:0' ]
  own.replace([]); // engines that watch see it at once, others before the next use
  await shop.refreshIfChanged();
  console.log(shop.list().length); // 1
  await shop.close();
}
// #endregion

// #region webSource
{
  const team = webSource('https://skills.example', { id: 'team' }); // a site with a well-known index
  console.log(team.id); // team
}
// #endregion

// #region mcpSource
{
  // With the official client: mcpSource(new SkillsClient(client), { id: 'crm' })
  const crm = mcpSource({ list: async () => ({ skills: [] }), read: async () => ({ bytes: Buffer.from('') }) });
  const remote = await openSkills({ sources: [crm] });
  console.log(remote.list().length); // 0
  await remote.close();
}
// #endregion

// #region discoverSkills
{
  const { skills: found, diagnostics } = await discoverSkills({ disabledSources: ['bundled'], includeDisabled: true });
  console.log(found.length, diagnostics.length); // 0 0
}
// #endregion

// #region discoverSkillsFromDir
{
  const { skills: found } = await discoverSkillsFromDir({ dir: './skills', source: 'product' });
  console.log(found.map(({ name, source }) => `${name} of ${source}`)); // [ 'pdf of product' ]
}
// #endregion

// #region loadAll
{
  const { skills: found } = await loadAll(['./skills', '~/more-skills']);
  console.log(found.map(({ name }) => name)); // [ 'pdf' ]
}
// #endregion

// #region fromFile
{
  const read = fromFile('./skills/pdf/SKILL.md');
  console.log(read.ok ? read.skill.description : read.message); // Fill in PDF forms.
}
// #endregion

// #region parseSkill
{
  const parsed = parseSkill('---\ndescription: Write: letters\n---\n# Mail\n', { dir: 'mail' });
  console.log(parsed.ok && parsed.skill.description); // Write: letters
  console.log(parsed.ok && parsed.skill.diagnostics.map(({ code }) => code)); // [ 'YAML_RECOVERED' ]
}
// #endregion

// #region SkillManifestSchema
{
  const parsed = SkillManifestSchema.safeParse({ name: 'PDF', description: 'Fill in PDF forms.' });
  console.log(parsed.error?.issues.map(({ path }) => path)); // [ [ 'name' ] ]
}
// #endregion

// #region validate
{
  const [checked] = validate('./skills/pdf', { spec: true });
  console.log(checked?.errors.map(({ code, field }) => [code, field])); // [ [ 'UNKNOWN_FIELD', 'tags' ] ]
}
// #endregion

// #region SkillStore
{
  const store = SkillStore.over(['./skills']);
  const catalog = await store.loadAll();
  console.log(catalog.skills.map(({ name, status }) => `${name}: ${status}`)); // [ 'pdf: enabled' ]
  await store.close();
}
// #endregion

// #region SkillRegistry
{
  const { skills: found } = await loadAll(['./skills']);
  const [best] = SkillRegistry.over(found).search('forms', { tags: ['office'] }, 3);
  console.log(best?.name, best?.score); // pdf 0.8
}
// #endregion

// #region SkillLoader
{
  const loader = SkillLoader.over(SkillStore.over(['./skills'])); // or a list of skills
  const loaded = await loader.load('pdf');
  console.log(loaded.ok && loaded.body.trim()); // Run scripts/fill.sh.
  const missing = await loader.load('nonexistent');
  console.log(missing.ok ? '' : missing.code); // SKILL_NOT_FOUND
}
// #endregion

// #region SkillContextProvider
{
  const provider = SkillContextProvider.over(skills); // or a list of skills
  console.log(provider.getTier1Context().includes('<name>pdf</name>')); // true
  console.log((await provider.getTier2Context('pdf'))?.startsWith('---')); // true
  console.log(await provider.getTier3ResourceList('pdf', 'scripts')); // [ 'scripts/fill.sh' ]
}
// #endregion

// #region systemPromptSection
{
  const { skills: found } = await loadAll(['./skills']);
  const section = systemPromptSection(found, ['pdf'], 5); // the names that were used last, and how many to list
  console.log(section?.split('\n')[0]); // ## Last used skills
}
// #endregion

// #region discloseCatalog
{
  const { skills: found } = await loadAll(['./skills']);
  const { tokens, shown, omitted } = discloseCatalog(found, { format: 'markdown', budget: 500 });
  console.log(tokens < 500, shown, omitted); // true [ 'pdf' ] []
}
// #endregion

// #region contextSection
{
  const { files } = contextSection(skills, { budget: 2_000 });
  console.log(files.map(({ path }) => path.endsWith('AGENTS.md'))); // [ true ]
}
// #endregion

// #region discoverCommandFiles
{
  const { commands } = discoverCommandFiles(skills);
  console.log(commands.map(({ name }) => `/${name}`)); // [ '/review' ]
}
// #endregion

// #region matchTriggers
{
  const { skills: found } = await loadAll(['./skills']);
  const [match] = matchTriggers(found, 'Please sign this acroform.');
  console.log(match?.skill.name, match?.reasons); // pdf [ { kind: 'keyword', detail: 'acroform' } ]
}
// #endregion

// #region Tool
{
  const greet = Tool.define('greet', {
    description: 'Greets a person.',
    parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    execute: (args) => `Hello ${String(args['name'])}`,
  });
  const answer = await greet.execute({ name: 'Ada' });
  console.log(answer.ok && answer.output); // Hello Ada
}
// #endregion

// #region ToolRegistry
{
  const registry = new ToolRegistry();
  registry.register(Tool.define('ping', { description: 'Answers.', execute: () => 'pong' }));
  const answer = await registry.call('ping', {});
  console.log(answer.ok && answer.output); // pong
}
// #endregion

// #region SkillReflector
{
  const model = async () => ({ text: 'nothing to keep', toolCalls: [] }); // asks your model
  const reflector = new SkillReflector(await skills.writingTo('./learned'), { model, minToolCalls: 1 });
  const { ended, created } = await reflector.reflect({
    request: 'Publish the release.',
    toolCalls: [{ name: 'bash', args: { command: 'npm publish' }, output: 'not logged in', isError: true }],
    answer: 'Published.',
  });
  console.log(ended, created); // finished []
}
// #endregion

// #region evaluateSkills
{
  const report = await evaluateSkills(skills, './skills/pdf'); // reads ./skills/pdf/evals
  console.log(report.ok && report.requests); // 1
}
// #endregion

// #region doctor
{
  const checks = await doctor();
  console.log(checks.some(({ area, status }) => area !== '' && status === 'ok')); // true
}
// #endregion

// #region VERSION
{
  const { version } = JSON.parse(await readFile(new URL(import.meta.resolve('skillplane/package.json')), 'utf8'));
  console.log(VERSION === version); // true
}
// #endregion

await skills.close();
