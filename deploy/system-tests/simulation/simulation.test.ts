import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductClient } from '../product-client.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { isServiceText, judge } from './judge.ts';
import { runSimulation, type Simulation } from './run-simulation.ts';

const start = new Date('2027-03-06T00:00:00Z');
const days = 26;

describe('26 days from 6 March 2027, across the changes of clocks of America and Europe', () => {
  let running: TestStack;
  let product: ProductClient;
  let simulation: Simulation;

  beforeAll(async () => {
    running = await startTestStack({
      CLOCK_START: start.toISOString(),
      SEND_SPREAD_SECONDS: '300',
    });
    product = running.product;
    simulation = await runSimulation({ product, size: 240, days, start });
  }, 1_500_000);

  afterAll(async () => {
    await running?.stop();
  });

  test('every hour settled before the next', () => {
    expect(simulation.unsettled).toEqual([]);
  });

  test('every due text came once, on the right local date at the right local hour, and no other came', async () => {
    const verdict = judge(simulation.people, simulation.expectedOf, await product.texts());
    expect(verdict).toMatchObject({ twice: [], missing: [], undue: [], wrong_hour: [] });
    expect(verdict.arrived).toBe(verdict.due);
    expect(verdict.due).toBeGreaterThan(3_500);
  });

  test('everybody with consent who paid got one welcome, and nobody else', async () => {
    const welcomed = (await product.texts())
      .filter(isServiceText)
      .filter((text) => text.text.includes('Welcome'));
    const expected = simulation.people
      .filter((person) => person.card !== null)
      .filter(
        (person) =>
          person.consent || person.story.some((act) => act.kind === 'reply' && act.text === 'YES'),
      );
    expect(welcomed.map((text) => text.to).sort()).toEqual(
      expected.map((person) => person.phone).sort(),
    );
  });
});
