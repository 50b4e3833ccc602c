import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCrisis } from './crisis.ts';

const corpus = JSON.parse(
  readFileSync(new URL('crisis.corpus.json', import.meta.url), 'utf8'),
) as Record<'crisis' | 'other', string[]>;

describe('a message', () => {
  it.each(corpus.crisis)('of someone who may be in danger is recognized: %s', (text) => {
    expect(readCrisis(text).is_crisis).toBe(true);
    expect(readCrisis(text.toUpperCase()).is_crisis).toBe(true);
  });

  it.each(corpus.other)('of another kind is not: %s', (text) => {
    expect(readCrisis(text)).toEqual({ is_crisis: false, rest: text });
  });

  it('keeps what else it says', () => {
    expect(readCrisis('I want to end it all. Stop texting me!').rest).toBe(
      'i want to. stop texting me',
    );
    expect(readCrisis('I want to end it all').rest).toBe('i want to');
  });
});

it('the corpus has at least 200 messages, half of them counterexamples', () => {
  expect(new Set([...corpus.crisis, ...corpus.other]).size).toBeGreaterThanOrEqual(200);
  expect(corpus.crisis.length).toBeGreaterThanOrEqual(100);
  expect(corpus.other.length).toBeGreaterThanOrEqual(100);
});
