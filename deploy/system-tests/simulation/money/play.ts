import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { dayMs } from '@daylift/clock/durations';
import { inParallel } from '../run-simulation.ts';
import { begin, perform } from './acts.ts';
import { compare } from './compare.ts';
import { advance, Person } from './oracle.ts';
import { keptOf } from './payments.ts';
import { faultySeconds, type Player, secondsOf, type World } from './players.ts';
import type { MoneyStack, Revenue } from './stack.ts';
import { type DayFault, type Story, type StoryAct, taxRates } from './stories.ts';

const quarterMs = 15 * 60_000;
/** An act this close to a renewal or an attempt to charge could come before or after it. */
const calmSeconds = 10 * 60;

interface Job {
  world: World;
  player: Player;
  /** Null for the signup. */
  act: StoryAct | null;
}

export interface Played {
  histories: number;
  /** Histories in which two events came too close together to know their order. */
  ambiguous: number;
  acts: Map<string, number>;
  kills: number;
  divergences: { story: Story; log: string[]; what: string }[];
  revenue: Record<'oracle' | 'billing' | 'ledger', Revenue>;
}

const webhooks = { webhook: { duplicate: 0.2, reorder: 0.2, drop: 0.3 } };
const api = {
  error: { stripe: { rate: 0.01, status: 500 } },
  accept_then_error: { stripe: 0.01 },
  accept_then_drop: { stripe: 0.01 },
};
const faultsOf = { none: {}, webhooks, api, kill: {}, all: { ...webhooks, ...api } };
const doesKill = (fault: DayFault) => fault === 'kill' || fault === 'all';

/** The hour of a day's acts. It differs from day to day, so few coincide with the renewals of earlier ones. */
const stopsOf = (start: number, day: number): [number, number] => {
  const slot = (day * 37 + 5) % 96;
  const at = (one: number) => start + day * dayMs + one * quarterMs + 7 * 60_000;
  return slot < 48 ? [at(slot), at(slot + 48)] : [at(slot - 48), at(slot)];
};

interface Course {
  days: number;
  /** By day; none by default. */
  faults: DayFault[];
  /** Runs at each midnight. */
  onDay?: (midnight: Date) => Promise<void>;
}

/** Lays histories over the same days of one product, and compares each end with the oracle's. */
export async function play(
  stack: MoneyStack,
  worlds: Story[][],
  { days, faults, onDay }: Course,
): Promise<Played> {
  const start = Math.ceil(stack.now().getTime() / dayMs) * dayMs;
  await stack.createPromotions();
  const all: World[] = worlds.map((stories) => {
    const players: Player[] = [];
    for (const story of stories)
      players.push({
        ...{ story, userId: randomUUID(), hasJoined: false, customer: '', log: [] },
        ...{ divergence: null, late: null },
        referrerId: players[0]?.userId ?? null,
        person: new Person(
          { ...story, taxRate: stack.isTaxed ? taxRates[story.place] : 0 },
          players[0]?.person ?? null,
        ),
      });
    return { players };
  });
  const acts = new Map<string, number>();
  let killed = 0;

  async function playStop(day: number, half: 0 | 1, fault: DayFault): Promise<void> {
    const jobs = all.flatMap((world) =>
      world.players.flatMap((player, index): Job[] => {
        if (index !== half || world.players.some(({ divergence }) => divergence !== null))
          return [];
        const act = player.story.acts.find((one) => one.day === day);
        if (player.story.start === day) return [{ world, player, act: null }];
        return act === undefined || !player.hasJoined ? [] : [{ world, player, act }];
      }),
    );
    const done: (() => Promise<void>)[] = [];
    const killing = doesKill(fault) && jobs.length > 0 ? killSoon(stack) : null;
    await inParallel(jobs, 16, async ({ world, player, act }) => {
      const people = world.players.map(({ person }) => person);
      await catchUp(world);
      const now = secondsOf(stack.now());
      advance(people, now);
      const margin = stack.isFaulty() ? faultySeconds : calmSeconds;
      if (act !== null && people.some((one) => isNear(one, now, margin))) return;
      const finish = act === null ? await begin(stack, player) : await perform(stack, player, act);
      const name = act?.kind ?? 'signup';
      acts.set(name, (acts.get(name) ?? 0) + 1);
      if (finish !== null) done.push(() => finish(people));
    });
    if (killing !== null) killed += await killing;
    await stack.settle();
    for (const finish of done) await finish();
  }

  for (let day = 0; day < days; day += 1) {
    const fault = faults[day] ?? 'none';
    if (onDay !== undefined) {
      const midnight = new Date(start + day * dayMs);
      if (midnight > stack.now()) await stack.travel({ advance_to: midnight.toISOString() });
      await onDay(midnight);
    }
    await stack.faults(faultsOf[fault]);
    for (const half of [0, 1] as const) {
      const at = stopsOf(start, day)[half];
      // What a faulty day leaves behind is retried or polled for.
      const isCalm = fault === 'none' && (faults[day - 1] ?? 'none') === 'none';
      const travelling = stack.travel({
        advance_to: new Date(at).toISOString(),
        stop_every_hours: isCalm ? 12 : 1,
      });
      if (half === 0 && doesKill(fault)) killed += await killSoon(stack);
      await travelling;
      await playStop(day, half, fault);
    }
  }
  await stack.faults({});
  // Two nightly comparisons.
  await stack.travel({ advance_hours: 54 });
  for (const world of all) await catchUp(world);
  await compare(stack, all);
  return {
    histories: all.flatMap(({ players }) => players).length,
    ambiguous: all.filter(isAmbiguous).flatMap(({ players }) => players).length,
    acts,
    kills: killed,
    divergences: all
      .filter((world) => !isAmbiguous(world))
      .flatMap(({ players }) => players)
      .flatMap(({ story, log, divergence }) =>
        divergence === null ? [] : [{ story, log, what: divergence }],
      ),
    revenue: await revenueOf(stack, all),
  };
}

async function catchUp({ players }: World): Promise<void> {
  for (const player of players) {
    await player.late?.(players.map(({ person }) => person));
    player.late = null;
  }
}

const isAmbiguous = ({ players }: World): boolean =>
  players.some(({ person }) => person.isAmbiguous);

async function killSoon(stack: MoneyStack): Promise<number> {
  await delay(Math.random() * 400);
  await stack.kill();
  return 1;
}

function isNear(person: Person, now: number, margin: number): boolean {
  return person.nextAt() - now < margin || now - person.lastAt < margin;
}

async function revenueOf(stack: MoneyStack, worlds: World[]): Promise<Played['revenue']> {
  const oracle: Revenue = { usd: 0, gbp: 0 };
  for (const { players } of worlds)
    for (const { person } of players)
      oracle[person.currency] += person.gifts.reduce(
        (sum, gift) => sum + keptOf(gift),
        person.revenue,
      );
  return { oracle, ...(await stack.revenue()) };
}
