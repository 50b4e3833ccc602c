import type { DeliverySettings } from '@daylift/contracts/accounts.events';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { aMessage, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Release, type Scheduler } from '../../test/harness.ts';
import { planDueSubscribers } from '../planning/planner.loop.ts';
import { sameSlot } from '../subscribers/next-text.ts';
import { releaseDue } from './release.actions.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});

const halfHours = 96;
const people = 8;
const zones = ['America/Los_Angeles', 'Europe/London', 'Asia/Kolkata', 'Pacific/Auckland'];
const operator = asAdmin('operator');

/** Everything that happens concurrently in a half hour. */
interface Turn {
  moves: { who: number; timezone: string; delivery_hour: number }[];
  manualSend: boolean;
  hold: boolean;
  answersLate: boolean;
}

function turnsFrom(seed: number): Turn[] {
  const below = createRandom(seed);
  return Array.from({ length: halfHours }, () => ({
    moves: Array.from({ length: below(4) }, () => ({
      who: below(people),
      timezone: zones[below(zones.length)] ?? 'UTC',
      delivery_hour: below(24),
    })),
    manualSend: below(20) === 0,
    hold: below(2) === 0,
    answersLate: below(2) === 0,
  }));
}

/** Returns integers below a limit, deterministic for a seed. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Emulates sms-gateway: one outcome per id, by the settings at that time. */
function createReceiver(settings: DeliverySettings[]) {
  const answered = new Set<string>();
  const accepted: { text: Release; at: number }[] = [];
  return {
    accepted,
    async answerAll(): Promise<void> {
      for (const text of await scheduler.texts()) {
        if (answered.has(text.dispatch_id)) continue;
        answered.add(text.dispatch_id);
        await scheduler.answer(text, decide(text));
      }
    },
  };

  function decide(text: Release): 'accepted' | 'superseded' | 'missed' {
    const chosen = settings.find((one) => one.user_id === text.user_id);
    if (chosen === undefined || (text.slot !== null && !sameSlot(text.slot, chosen)))
      return 'superseded';
    const now = scheduler.clock.now().getTime();
    const isOpen = text.windows.some(
      (one) => Date.parse(one.opens_at) <= now && now < Date.parse(one.closes_at),
    );
    if (!isOpen) return 'missed';
    accepted.push({ text, at: now });
    return 'accepted';
  }
}

async function live(turns: Turn[]): Promise<{ text: Release; at: number }[]> {
  await scheduler.reset('2027-03-12T00:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
  const settings: DeliverySettings[] = [];
  for (let n = 0; n < people; n += 1) {
    const chosen = { timezone: zones[n % 4] ?? 'UTC', delivery_hour: (n * 7) % 24 };
    settings.push(await subscribe(scheduler, chosen));
  }
  const receiver = createReceiver(settings);
  for (const one of turns) {
    scheduler.clock.advance({ minutes: 30 });
    await Promise.all([
      takeTurn(one, settings),
      ...[1, 2].map(async () => {
        while ((await planDueSubscribers(scheduler.deps)) > 0);
        while ((await releaseDue(scheduler.deps)).claimed > 0);
      }),
      one.answersLate ? undefined : receiver.answerAll(),
    ]);
  }
  await scheduler.settle();
  await receiver.answerAll();
  return receiver.accepted;
}

async function takeTurn(one: Turn, settings: DeliverySettings[]): Promise<void> {
  for (const { who, ...chosen } of one.moves) {
    const before = settings[who];
    if (before !== undefined) settings[who] = await change(scheduler, before, chosen);
  }
  if (!one.manualSend) return;
  const message = aMessage({ scheduled_date: '2027-04-01' });
  await scheduler.receive('content.message.scheduled', message);
  scheduler.deps.manualSendWaitMs = 0;
  await scheduler.call('POST', `/admin/scheduled-messages/${message.id}/send-now`, operator, {
    hold_quiet_hours: one.hold,
  });
}

describe('Concurrent moves, manual sends, planners and releasers', () => {
  test('never send two texts for one local date, or an earlier date after a later one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const accepted = await live(turnsFrom(seed));
        expect(accepted.length).toBeGreaterThan(0);
        const dates = new Map<string, string[]>();
        for (const { text } of accepted.toSorted((one, other) => one.at - other.at)) {
          const seen = dates.get(text.user_id) ?? [];
          expect(text.local_date > (seen.at(-1) ?? ''), `${seen}, ${text.local_date}`).toBe(true);
          dates.set(text.user_id, [...seen, text.local_date]);
        }
        const open = (await scheduler.dispatches()).filter((one) => one.state === 'released');
        expect(open).toEqual([]);
      }),
      { numRuns: 5, endOnFailure: true, examples: [[1_855_253_082]] },
    );
  }, 120_000);
});
