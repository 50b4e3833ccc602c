import { setTimeout as delay } from 'node:timers/promises';
import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import type { Forecast } from '@daylift/contracts/forecast.http';
import type { AdvanceReport, ProductClient } from '../product-client.ts';
import type { TestStack } from '../stack-for-test.ts';
import { computeForecast } from './forecast.ts';
import { type Expected, expectedTexts, type Fact } from './oracle.ts';
import { type Act, createPopulation, type Person } from './population.ts';

/** Between the slots of all zones used here, so actions never coincide with a slot. */
const actingTimeMs = 10.6 * hourMs;
const graceMs = 7 * dayMs;
export const password = 'good morning';
const populationSize = 240;

export interface SimulationOptions {
  running: TestStack;
  days: number;
  start: Date;
  /** From this day on, no one acts for 48 hours. */
  forecastDay?: number;
  /** Who takes part. Defaults to 240 people with all stories. */
  people?: Person[];
  /** Retries calls while parts of the product are being killed. */
  patient?: boolean;
  /** How long one stop of the clock may take. */
  capMs?: number;
  onDay?: (day: number) => Promise<void>;
}

export interface Simulation {
  people: Person[];
  /** Texts of this instant may already be sent, but their hour isn't over. */
  end: Date;
  /** Returns the texts due until the end, or until an earlier instant. */
  expectedOf: (person: Person, until?: Date) => Expected[];
  forecast: Forecast | null;
  unsettled: AdvanceReport['unsettled'];
}

/** Signs everyone up, advances the days, and performs the stories' actions. */
export async function runSimulation(options: SimulationOptions): Promise<Simulation> {
  const { product, stack } = options.running;
  const { people = createPopulation(populationSize) } = options;
  const facts = new Map<number, Fact[]>(people.map((person) => [person.index, []]));
  const tokens = new Map<number, string>();
  const unsettled: AdvanceReport['unsettled'] = [];
  const admin = await product.adminLogin(stack.adminCredentials);
  let forecast: Forecast | null = null;
  const advanceTo = (instant: Date) => product.advanceTo(instant, 1, options.capMs);
  const attempt = options.patient ? retry : <T>(action: () => Promise<T>) => action();

  await inParallel(people, 6, async (person) => {
    const paidAt = await join(product, person);
    if (paidAt !== null) facts.get(person.index)?.push(...entitlementOf(person, paidAt));
  });
  unsettled.push(...(await product.settle()).unsettled);

  for (let day = 0; day < options.days; day += 1) {
    const midnight = new Date(options.start.getTime() + day * dayMs);
    await options.onDay?.(day);
    if (day === options.forecastDay) {
      // The texts of midnight are sent by ten past, and the next are due at half past. A text counts as still to come
      // until its result arrives, so the forecast is of the time after all results have.
      const at = new Date(midnight.getTime() + 20 * minuteMs);
      for (const instant of [new Date(at.getTime() - 10 * minuteMs), at])
        unsettled.push(...(await advanceTo(instant)).unsettled);
      forecast = await computeForecast(product, admin, at);
    }
    const acts = people.flatMap((person) =>
      person.story.filter((act) => act.day === day).map((act) => ({ person, act })),
    );
    if (acts.length > 0) {
      unsettled.push(...(await advanceTo(new Date(midnight.getTime() + actingTimeMs))).unsettled);
      const at = await product.now();
      await inParallel(acts, 4, async ({ person, act }) => {
        await attempt(() => perform(product, tokens, person, act));
        facts.get(person.index)?.push(factOf(act, at));
      });
      unsettled.push(...(await product.settle()).unsettled);
    }
    unsettled.push(...(await advanceTo(new Date(midnight.getTime() + dayMs))).unsettled);
  }
  const end = new Date(options.start.getTime() + options.days * dayMs);
  return {
    people,
    forecast,
    unsettled,
    end,
    expectedOf: (person, until = end) =>
      expectedTexts(person, facts.get(person.index) ?? [], until),
  };
}

/** Signs up and pays. Returns when the trial started, or null without a payment. */
async function join(product: ProductClient, person: Person): Promise<Date | null> {
  const id = await product.signUp({
    name: person.name,
    email: person.email,
    phone: person.phone,
    password,
    timezone: person.settings.timezone,
    delivery_time: `${String(person.settings.hour).padStart(2, '0')}:00`,
    delivery_frequency: person.frequency,
    plan: person.plan,
    sms_consent: person.consent,
  });
  const session = await product.openCheckout(id, person.plan);
  if (person.card === null) return null;
  await product.pay(session, person.card);
  return product.now();
}

/** A failed charge an hour after the trial allows seven more days. */
function entitlementOf(person: Person, paidAt: Date): Fact[] {
  const begins: Fact = { at: paidAt, entitled: true };
  if (!person.card?.endsWith('0341')) return [begins];
  return [
    begins,
    { at: new Date(paidAt.getTime() + 3 * dayMs + hourMs + graceMs), entitled: false },
  ];
}

async function perform(
  product: ProductClient,
  tokens: Map<number, string>,
  person: Person,
  act: Act,
): Promise<void> {
  if (act.kind === 'reply') {
    await product.reply(person.phone, act.text);
    return;
  }
  const token = tokens.get(person.index) ?? (await product.login(person.email, password));
  tokens.set(person.index, token);
  const { hour, ...rest } = act.change;
  const change =
    hour === undefined ? rest : { ...rest, delivery_time: `${String(hour).padStart(2, '0')}:00` };
  const response = await product.api('PUT', '/users/me', change, token);
  if (response.status !== 200)
    throw new Error(`settings: ${response.status} ${JSON.stringify(response.body)}`);
}

function factOf(act: Act, at: Date): Fact {
  if (act.kind === 'settings') return { at, settings: act.change };
  if (act.text === 'YES') return { at, consent: true };
  return { at, stopped: act.text !== 'START' };
}

export async function inParallel<T>(
  items: T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

/** Retries, as a person would after an error. */
async function retry<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action();
    } catch (error) {
      if (tries === 40) throw error;
      await delay(500);
    }
  }
}
