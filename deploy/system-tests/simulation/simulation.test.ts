import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductClient } from '../product-client.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { expectForecastMet, expectOneWelcomeEach } from './checks.ts';
import { acceptedBefore, judge } from './judge.ts';
import { runSimulation, type Simulation } from './run-simulation.ts';

const start = new Date('2027-03-06T00:00:00Z');
const days = 26;

describe('26 days from 6 March 2027, with the clock changes of America and Europe', () => {
  let running: TestStack;
  let product: ProductClient;
  let simulation: Simulation;

  beforeAll(async () => {
    running = await startTestStack({
      CLOCK_START: start.toISOString(),
      SEND_SPREAD_SECONDS: '300',
    });
    product = running.product;
    // Its 48 hours include Europe's clock change.
    simulation = await runSimulation({ running, days, start, forecastDay: 21 });
  }, 1_500_000);

  afterAll(async () => {
    await running?.stop();
  });

  test('every hour settled before the next', () => {
    expect(simulation.unsettled).toEqual([]);
  });

  test('every due text arrived once, on the right local date and hour, and no other did', async () => {
    const verdict = judge(
      simulation.people,
      simulation.expectedOf,
      acceptedBefore(await product.texts(), simulation.end),
    );
    expect(verdict).toMatchObject({ twice: [], missing: [], unexpected: [], wrong_hour: [] });
    expect(verdict.arrived).toBe(verdict.due);
    expect(verdict.due).toBeGreaterThan(3_500);
  });

  test('a forecast matched each of the next 48 hours, with skipped subscribers by reason', () =>
    expectForecastMet(simulation, product, running));

  test('every paying subscriber with consent got one welcome, and no one else did', async () => {
    expectOneWelcomeEach(simulation.people, await product.texts(), days);
  });
});
