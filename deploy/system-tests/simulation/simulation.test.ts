import { dayMs, minuteMs } from '@daylift/clock/durations';
import type { Forecast } from '@daylift/contracts/forecast.http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductClient } from '../product-client.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { computeForecast, happenedAfter, outlookOf } from './forecast.ts';
import { isServiceText, judge } from './judge.ts';
import { runSimulation, type Simulation } from './run-simulation.ts';

const start = new Date('2027-03-06T00:00:00Z');
const days = 26;
/** From this day on, no one acts for 48 hours, which include Europe's clock change. */
const forecastDay = 21;

describe('26 days from 6 March 2027, with the clock changes of America and Europe', () => {
  let running: TestStack;
  let product: ProductClient;
  let simulation: Simulation;
  let forecast: Forecast;

  beforeAll(async () => {
    running = await startTestStack({
      CLOCK_START: start.toISOString(),
      SEND_SPREAD_SECONDS: '300',
    });
    product = running.product;
    const admin = await product.adminLogin(running.stack.adminCredentials);
    const onDay = async (day: number) => {
      if (day !== forecastDay) return;
      // The texts of midnight are sent, and the next are due at half past.
      const midnight = start.getTime() + day * dayMs;
      await product.advanceTo(new Date(midnight + 10 * minuteMs));
      forecast = await computeForecast(product, admin);
    };
    simulation = await runSimulation({ product, size: 240, days, start, onDay });
  }, 1_500_000);

  afterAll(async () => {
    await running?.stop();
  });

  test('every hour settled before the next', () => {
    expect(simulation.unsettled).toEqual([]);
  });

  test('every due text arrived once, on the right local date and hour, and no other did', async () => {
    const verdict = judge(simulation.people, simulation.expectedOf, await product.texts());
    expect(verdict).toMatchObject({ twice: [], missing: [], undue: [], wrong_hour: [] });
    expect(verdict.arrived).toBe(verdict.due);
    expect(verdict.due).toBeGreaterThan(3_500);
  });

  test('a forecast matched each of the next 48 hours, with skipped subscribers by reason', async () => {
    const foretold = outlookOf(forecast);
    const happened = await happenedAfter(forecast, product, running.stack);
    expect(foretold).toEqual(happened);
    expect(Object.values(happened.hours)).toHaveLength(48);
    expect(Object.values(happened.hours).reduce((sum, one) => sum + one)).toBeGreaterThan(250);
    expect(Object.keys(happened.skipped)).toEqual(
      expect.arrayContaining(['skipped:opted_out', 'skipped:no_consent']),
    );
  });

  test('every paying subscriber with consent got one welcome, and no one else did', async () => {
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
