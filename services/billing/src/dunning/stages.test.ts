import { expect, it } from 'vitest';
import { type DunningFacts, stageOf } from './stages.ts';

const day = (n: number) => new Date(Date.UTC(2027, 2, n, 12));
const facts: DunningFacts = { since: day(1), entitled: true, texts_until: day(8) };
const at = (n: number, change: Partial<DunningFacts> = {}) => {
  const { stage, next_at } = stageOf({ ...facts, ...change }, day(n));
  return [stage, next_at?.getUTCDate() ?? null];
};

it.each([
  [1, 'failed', 4],
  [4, 'reminder', 6],
  [6, 'second_reminder', 7],
  [7, 'last_reminder', 8],
] as const)('on March %i the stage is %s', (now, stage, next) => {
  expect(at(now)).toEqual([stage, next]);
});

it('the end of the texts is the last stage', () => {
  expect(at(8, { entitled: false, texts_until: null })).toEqual(['stopped', null]);
});

it('a planned end moves the last reminder ahead of the others', () => {
  expect(at(1, { texts_until: day(4) })).toEqual(['failed', 3]);
  expect(at(3, { texts_until: day(4) })).toEqual(['last_reminder', 4]);
});

it('free access moves the last reminder to its end', () => {
  expect(at(8, { texts_until: day(20) })).toEqual(['second_reminder', 19]);
  expect(at(19, { texts_until: day(20) })).toEqual(['last_reminder', 20]);
});
