import { openTestSkills, skillText } from 'skillplane/testing';

// #region openTestSkills
{
  const skills = await openTestSkills({ 'pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }) });
  console.log(skills.catalog().skills.map(({ name }) => name)); // [ 'pdf' ]
  await skills.close(); // removes everything
}
// #endregion

// #region skillText
{
  const text = skillText({ name: 'pdf', tags: ['office'] }, 'Instructions.\n');
  console.log(text.split('\n')[2]); // tags: ["office"]
}
// #endregion
