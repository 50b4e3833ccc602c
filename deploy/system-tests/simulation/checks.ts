import { expect } from 'vitest';
import type { AcceptedText, ProductClient } from '../product-client.ts';
import type { TestStack } from '../stack-for-test.ts';
import { countActual, totalsOf } from './forecast.ts';
import { isServiceText } from './judge.ts';
import type { Person } from './population.ts';
import type { Simulation } from './run-simulation.ts';

/** Each of the 48 hours after the forecast matched it, and so did the skipped subscribers by reason. */
export async function expectForecastMet(
  { forecast, people }: Simulation,
  product: ProductClient,
  { stack }: TestStack,
): Promise<void> {
  if (forecast === null) throw new Error('no forecast was made');
  const actual = await countActual(forecast, product, stack);
  expect(totalsOf(forecast)).toEqual(actual);
  expect(Object.values(actual.hours)).toHaveLength(48);
  expect(Object.values(actual.hours).reduce((sum, one) => sum + one)).toBeGreaterThan(
    people.length * 1.05,
  );
  expect(Object.keys(actual.skipped)).toEqual(
    expect.arrayContaining(['skipped:opted_out', 'skipped:no_consent']),
  );
}

/** Every paying subscriber who consented until then got one welcome, and no one else did. */
export function expectOneWelcomeEach(people: Person[], texts: AcceptedText[], days: number): void {
  const welcomed = texts.filter(isServiceText).filter((text) => text.text.includes('Welcome'));
  const expected = people
    .filter((person) => person.card !== null)
    .filter(
      (person) =>
        person.consent ||
        person.story.some((act) => act.kind === 'reply' && act.text === 'YES' && act.day < days),
    );
  expect(welcomed.map((text) => text.to).sort()).toEqual(
    expected.map((person) => person.phone).sort(),
  );
}
