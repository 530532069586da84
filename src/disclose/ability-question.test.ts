import { expect, test } from 'vitest';

import { readAbilityQuestion } from './ability-question.ts';

test.each([
  'what can you do?',
  'What can you do',
  'Hi! What else could u do for me?',
  'what can you actually do here?',
  'list skills',
  'List your skills, please.',
  'list the available skills',
  'show me your skills',
  'show me what skills you have',
  'show capabilities',
  'list all capabilities',
  'what skills do you have',
  'What skills do you have available?',
  'which skills are there?',
  'which skills are installed',
  'what skills can I use?',
  'what other skills are available',
  'what are your skills?',
  'what are all the skills',
  'what are you capable of?',
  'tell me about your abilities',
  'show all skills',
  'Show me all the skills!',
  'list all skills',
  'show all my skills',
  'please list all of your available skills',
  'show all skills you have',
  'skills?',
  '  your   skills ',
])('the message %j asks which skills exist', (message) => {
  expect(readAbilityQuestion(message)).toBe('abilities');
});

test.each([
  'give me all skill documentation',
  'all skills docs',
  'Show the instructions of all skills.',
  'print the documentation for every skill',
  'show all my skills instructions, please',
  "list every skill's full text",
])('the message %j asks for the instructions of all skills', (message) => {
  expect(readAbilityQuestion(message)).toBe('all');
});

test.each([
  '',
  'fill this pdf',
  'what can you do about this bug?',
  'what could you do to make the build faster?',
  'what skills do I need to become a plumber?',
  'what skill level is required',
  'list skills in my CV',
  'show my skills section on the website',
  'show all skills of the wizard class in a table',
  'improve my writing skills',
  'what are the skills gaps in this team?',
  'what did you do?',
  'translate the instructions of all skills in the wizard guide',
  'whatcanyoudo',
  `what can you do? ${'Here is a long text. '.repeat(20)}`,
])('the message %j does not ask about skills', (message) => {
  expect(readAbilityQuestion(message)).toBeUndefined();
});
