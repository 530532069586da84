import { openSkills } from 'skillplane';
import {
  disable,
  enable,
  findForeignSkills,
  fix,
  judgeForTargets,
  newSkill,
  pack,
  planSync,
  publishSkills,
  searchRemote,
  SkillInstaller,
  sync,
  undoSync,
} from 'skillplane/install';

// #region SkillInstaller
{
  const installer = new SkillInstaller();
  const done = await installer.install({ url: './skills', skills: ['pdf'] });
  console.log(done.ok ? done.installed.map(({ name }) => name) : done.message); // [ 'pdf' ]
  const listed = await installer.list();
  console.log(listed.ok && listed.plugins.map(({ name, isTrusted }) => `${name} ${isTrusted}`)); // [ 'pdf false' ]
}
// #endregion

// #region searchRemote
{
  const found = await searchRemote('./skills', { query: 'forms' }); // or owner/repo, an address, an npm package
  console.log(found.ok && found.results.map(({ name }) => name)); // [ 'pdf' ]
}
// #endregion

// #region disable
{
  const switched = await disable('pdf');
  console.log(switched.ok && switched.changed.length > 0); // true
}
// #endregion

// #region enable
{
  const switched = await enable('pdf');
  console.log(switched.ok && switched.skill.name); // pdf
}
// #endregion

// #region findForeignSkills
{
  const { skills, diagnostics } = findForeignSkills();
  console.log(skills.length, diagnostics.length); // 0 0
}
// #endregion

// #region planSync
{
  const planned = await planSync({ hosts: ['claude-code'] });
  console.log(planned.ok && planned.plan.changes.some(({ kind, skill }) => kind === 'link' && skill === 'pdf')); // true
}
// #endregion

// #region sync
{
  const synced = await sync({ hosts: ['claude-code'] });
  console.log(synced.ok && synced.report.isFirst); // true
}
// #endregion

// #region undoSync
{
  const undone = await undoSync();
  console.log(undone.ok && undone.report.changes.every(({ kind }) => kind === 'remove')); // true
}
// #endregion

// #region newSkill
{
  const skills = await openSkills();
  const created = await newSkill(skills, 'release-notes', { description: 'Writes release notes.', template: 'script' });
  console.log(created.ok && created.files.includes('SKILL.md')); // true
  await skills.close();
}
// #endregion

// #region fix
{
  const [fixed] = await fix('./broken/mail', { write: false });
  console.log(fixed?.ok && fixed.fixes.length > 0 && fixed.written); // false
}
// #endregion

// #region pack
{
  const packed = await pack('./skills/pdf', { format: 'tar.gz' });
  console.log(packed.ok && packed.fileName); // pdf.tar.gz
}
// #endregion

// #region judgeForTargets
{
  const [verdict] = judgeForTargets('./skills/pdf', { for: ['claude-code'] });
  console.log(verdict?.title, verdict?.verdict); // Claude Code ignores
}
// #endregion

// #region publishSkills
{
  const site = await publishSkills(['./skills'], { to: './site', url: 'https://skills.example.com' });
  console.log(site.ok ? site.skills.map(({ name }) => name) : site.message); // [ 'pdf' ]
}
// #endregion
