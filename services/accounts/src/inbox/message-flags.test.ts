import { expect, test } from 'vitest';
import { flagsOf } from './message-flags.ts';

const reply = (message: string, isStop = false) => flagsOf({ kind: 'reply', message, isStop });

test.each(['STPO', 'Can you stop these please?', 'I want to opt out', 'no more texts', 'Stooop'])(
  'a reply that looks like STOP is flagged: %s',
  (message) => expect(reply(message)).toEqual(['stop']),
);

test.each([
  'I want to die',
  'Thinking about suicide again',
  'I can’t go on',
  "I don't want to be here anymore",
])('distress is flagged: %s', (message) => expect(reply(message)).toEqual(['distress']));

test.each([
  'Thank you!',
  'Can it come in the afternoon?',
  'Love this topic',
  'The shopping was fun',
])('other replies are not flagged: %s', (message) => expect(reply(message)).toEqual([]));

test('a STOP that was applied, and a form that mentions it, are not flagged again', () => {
  expect(reply('please stop texting me', true)).toEqual([]);
  expect(flagsOf({ kind: 'contact', message: 'How do I cancel?', isStop: false })).toEqual([]);
});
