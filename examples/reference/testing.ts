import { memorySource } from 'skillplane';
import { openTestSkills, skillText, sourceContract } from 'skillplane/testing';

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

// #region sourceContract
{
  // In a test file: for (const { title, run } of promises) test(title, run);
  const promises = sourceContract((skills) => {
    const source = memorySource(skills); // a source of yours with these skills
    return { source, replace: (next) => source.replace(next) };
  });
  for (const { run } of promises) await run(); // throws if a promise is broken
  console.log(promises[0]?.title); // every skill is listed with its fields, and nothing is wrong with it
}
// #endregion
