/**
 * The requirements that the tests of the Agent Skills reference library check, one sentence each, in our words. P is
 * its parser, Q its prompt, V its validator. `agent-skills.test.ts` checks every one of them for Skillplane.
 */
export const requirements = {
  P1: 'a well-formed file gives its name, its description and a body with the heading',
  P2: 'a file without frontmatter is an error that says it must start with it',
  P3: 'frontmatter that is opened but not closed is an error that says so',
  P4: 'frontmatter that is no YAML is an error that says so',
  P5: 'frontmatter that is a list is an error that says it must be a mapping',
  P6: 'the properties of a skill have its name, description and licence',
  P7: 'values of metadata are text: an unquoted 1.0 stays "1.0"',
  P8: 'a directory without SKILL.md is an error that says it was not found',
  P9: 'a missing name is an error that names the field',
  P10: 'a missing description is an error that names the field',
  P11: 'SKILL.md is preferred to skill.md',
  P12: 'skill.md is found where it is alone',
  P13: 'where there is neither, no file is found',
  P14: 'the properties are readable from skill.md as well',
  P15: 'allowed-tools is kept word for word, under its hyphenated name',
  Q1: 'no skills give the opening and the closing tag on two lines',
  Q2: 'a skill shows name and description on lines of their own and the place of its SKILL.md',
  Q3: 'several skills each have their own element',
  Q4: 'markup in a description is escaped',
  V1: 'a skill with name and description is valid',
  V2: 'a path that is not there is one error that says it does not exist',
  V3: 'a path to a file is one error that says it is not a directory',
  V4: 'a directory without SKILL.md is one error that says what is missing',
  V5: 'an upper-case name is refused',
  V6: 'a name beyond the limit is refused',
  V7: 'a name that begins with a hyphen is refused',
  V8: 'a name with two hyphens in a row is refused',
  V9: 'a name with an underscore is refused',
  V10: 'a name that is not the directory’s is refused',
  V11: 'a field that the specification does not know is refused',
  V12: 'licence and metadata are allowed',
  V13: 'allowed-tools is allowed',
  V14: 'a Chinese name is valid',
  V15: 'a Russian name with a hyphen is valid',
  V16: 'a Russian name in lower case is valid',
  V17: 'a Russian name in upper case is refused',
  V18: 'a description beyond 1024 characters is refused',
  V19: 'compatibility is allowed',
  V20: 'compatibility beyond 500 characters is refused',
  V21: 'name and directory are equal when they are after NFKC',
} as const;

export type RequirementId = keyof typeof requirements;

export function findUncited(cited: ReadonlySet<string>): readonly string[] {
  return Object.keys(requirements).filter((id) => !cited.has(id));
}
