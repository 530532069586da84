import { openSkills } from 'skillplane';
import { createGateway, ctxTool, extractStatements, parseStatement, printStatement } from 'skillplane/ctx';

const skills = await openSkills({ dirs: ['./skills'] });

// #region createGateway
{
  const gateway = createGateway(skills); // only searches and reads
  const answer = await gateway.handle('?s "forms" #office ^3');
  console.log(answer.ok && 'results' in answer && answer.results.map(({ name }) => name)); // [ 'pdf' ]
}
// #endregion

// #region ctxTool
{
  const tool = ctxTool(skills, { write: 'agent' });
  const answer = await tool.execute({ statement: '!s pdf' });
  console.log(tool.name, answer.ok); // ctx true
}
// #endregion

// #region parseStatement
{
  const parsed = parseStatement('?s "forms" #office ^3');
  console.log(parsed.ok && parsed.statement.tags); // [ 'office' ]
}
// #endregion

// #region printStatement
{
  const parsed = parseStatement('?s   forms  ^3');
  console.log(parsed.ok && printStatement(parsed.statement)); // ?s forms ^3
}
// #endregion

// #region extractStatements
{
  const { statements, prose } = extractStatements('I look for a skill.\n?s "forms"');
  console.log(statements.map(({ raw, line }) => [raw, line])); // [ [ '?s "forms"', 2 ] ]
  console.log(prose); // I look for a skill.
}
// #endregion

await skills.close();
