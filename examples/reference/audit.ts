import { auditSkills, renderSarif } from 'skillplane/audit';

// #region auditSkills
{
  const audited = await auditSkills('./skills/pdf'); // or a name, or the address of a repository
  if (!audited.ok) throw new Error(audited.message);
  console.log(audited.audits.map(({ name, findings }) => [name, findings.length])); // [ [ 'pdf', 0 ] ]
}
// #endregion

// #region renderSarif
{
  const audited = await auditSkills('./skills');
  const log = renderSarif(audited.ok ? audited.audits : []);
  console.log(JSON.stringify(log).includes('"version":"2.1.0"')); // true
}
// #endregion
