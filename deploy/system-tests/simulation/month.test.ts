import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import type { OwnDay } from '@daylift/contracts/timeline.http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AcceptedText } from '../product-client.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { stripeKeyOf } from '../stack-secrets.ts';
import { createRecipients, type Recipient, textsUntilUnreachable, worthOf } from './failures.ts';
import { isServiceText } from './judge.ts';
import type { Expected } from './oracle.ts';
import { inParallel, password, runSimulation, type Simulation } from './run-simulation.ts';

const start = new Date('2027-04-01T00:00:00Z');
/** The trial, a paid month, and the days until the month's last losses are settled. */
const days = 39;
const trialMs = 3 * dayMs;
/** Failures start when all have paid, and end with the month. */
const firstDay = 4;
const lastDay = 33;
const busyDay = 6;
const spamDay = 12;
const size = Number(process.env.MONTH_SUBSCRIBERS ?? 1_000);

interface LostDay {
  recipient: Recipient;
  day: Expected;
}

describe(`a month of ${size} subscribers with landlines, disconnected numbers, carrier errors, 429s and a spam block`, () => {
  let running: TestStack;
  let simulation: Simulation;
  const people = createRecipients(size);
  let textsTo: Map<string, AcceptedText[]>;

  beforeAll(async () => {
    running = await startTestStack({
      CLOCK_START: start.toISOString(),
      SEND_SPREAD_SECONDS: '300',
      SMS_CANARY_ABOVE: '0',
    });
    const { product } = running;
    /** From five minutes before an hour until its end. */
    const during = async (day: number, hour: number, error: Record<string, unknown>) => {
      const at = start.getTime() + day * dayMs + hour * hourMs;
      await product.advanceTo(new Date(at - 5 * minuteMs));
      await product.faults({ error: { telnyx: error } });
      // Retries follow within a minute; the clock alone would stop every quarter of an hour.
      for (let minute = 0; minute < 15; minute += 1)
        await product.advanceTo(new Date(at + minute * minuteMs));
      await product.advanceTo(new Date(at + hourMs));
      await product.faults({ error: { telnyx: { rate: 0 } } });
    };
    simulation = await runSimulation({
      running,
      days,
      start,
      people,
      // Everyone's trial ends in the same minute.
      capMs: 10 * minuteMs,
      onDay: async (day) => {
        if (day === firstDay) await product.faults({ telnyx: { undelivered: 0.005 } });
        if (day === lastDay) await product.faults({ telnyx: { undelivered: 0 } });
        if (day === busyDay) await during(day, 14, { rate: 0.3, code: '10011', retry_after: 1 });
        if (day === spamDay) await during(day, 17, { rate: 1, code: '40002' });
      },
    });
    const daily = (await product.texts()).filter((text) => !isServiceText(text));
    textsTo = Map.groupBy(daily, ({ to }) => to);
  }, 3_600_000);
  afterAll(() => running?.stop());

  const inSlot = (to: string, { opens }: Expected) =>
    (textsTo.get(to) ?? []).filter(({ accepted_at }) => {
      const sinceMs = new Date(accepted_at).getTime() - opens.getTime();
      return sinceMs >= 0 && sinceMs < hourMs;
    });
  const hasArrived = (to: string, day: Expected) =>
    inSlot(to, day).some(({ status }) => status === 'delivered');
  const reachable = people.filter(({ numberKind }) => numberKind === 'mobile');
  const lostDays = (): LostDay[] =>
    reachable.flatMap((recipient) =>
      simulation
        .expectedOf(recipient)
        .filter((day) => !hasArrived(recipient.phone, day))
        .map((day) => ({ recipient, day })),
    );

  test('every hour settled before the next', () => {
    expect(simulation.unsettled).toEqual([]);
  });

  test('a landline gets no daily text, a disconnected number one on each of three dates', () => {
    const counts = people.flatMap(({ numberKind, phone }) =>
      numberKind === 'mobile'
        ? []
        : [
            {
              numberKind,
              texts: textsTo.get(phone)?.length ?? 0,
              of: textsUntilUnreachable[numberKind],
            },
          ],
    );
    expect(counts.length).toBe(Math.floor(size / 50) + Math.floor(size / 100));
    expect(counts.filter(({ texts, of }) => texts !== of)).toEqual([]);
  });

  test('every other due text is accepted once, except in the hour of the spam block', () => {
    const spamAt = start.getTime() + spamDay * dayMs + 17 * hourMs;
    const wrong = reachable.flatMap((recipient) =>
      simulation
        .expectedOf(recipient)
        .filter((day) => {
          const isBlocked = day.opens.getTime() === spamAt;
          return inSlot(recipient.phone, day).length !== (isBlocked ? 0 : 1);
        })
        .map((day) => `${recipient.index} on ${day.localDate}`),
    );
    expect(wrong).toEqual([]);
    expect(lostDays().length).toBeGreaterThan(size / 20);
  });

  test('each lost day of a paid period is credited once, to the cent', async () => {
    const due = new Map<string, number>();
    for (const { recipient, day } of lostDays()) {
      const paidFrom = new Date(start.getTime() + trialMs);
      const cents = worthOf(recipient, paidFrom, day.opens);
      due.set(recipient.email, (due.get(recipient.email) ?? 0) + cents);
    }
    const booked = new Map<string, number>();
    for await (const { id, email } of listAll<{ id: string; email: string }>('/v1/customers'))
      for await (const entry of listAll<BalanceEntry>(`/v1/customers/${id}/balance_transactions`))
        if (entry.type === 'adjustment') booked.set(email, (booked.get(email) ?? 0) - entry.amount);
    expect(Object.fromEntries(booked)).toEqual(Object.fromEntries(due));
  });

  test("revenue equals the provider's ledger to the cent", async () => {
    let cents = 0;
    for await (const { amount } of listAll<BalanceEntry>('/v1/balance_transactions'))
      cents += amount;
    const { product, stack } = running;
    const admin = await product.adminLogin(stack.adminCredentials);
    const { body } = await product.api<{ revenue: { total: number } }>(
      'GET',
      '/admin/analytics',
      undefined,
      admin,
    );
    expect(Math.round(body.revenue.total * 100)).toBe(cents);
    expect(cents).toBeGreaterThan(size * 499);
  });

  test('each day without a text is explained to its subscriber', async () => {
    const { product } = running;
    const withoutTexts = Map.groupBy(
      people
        .flatMap((recipient) => simulation.expectedOf(recipient).map((day) => ({ recipient, day })))
        .filter(({ recipient, day }) => !hasArrived(recipient.phone, day)),
      ({ recipient }) => recipient,
    );
    const unexplained: string[] = [];
    const reasons = new Set<string>();
    await inParallel([...withoutTexts], 4, async ([recipient, lost]) => {
      const token = await product.login(recipient.email, password);
      for (const { day } of lost) {
        const path = `/users/me/days/${day.localDate}`;
        const { body } = await product.api<OwnDay>('GET', path, undefined, token);
        reasons.add(body.explanation.replaceAll(/\b\w+ \d{1,2}\b/g, '…'));
        if (body.verdict !== 'did_not')
          unexplained.push(`${recipient.index}: ${JSON.stringify(body)}`);
      }
    });
    expect(unexplained).toEqual([]);
    // Refused by the spam filter, failed at the carrier, and stopped by us.
    expect(reasons.size).toBeGreaterThanOrEqual(3);
  }, 1_200_000);

  interface BalanceEntry {
    id: string;
    type: string;
    amount: number;
  }
  async function* listAll<T extends { id: string }>(path: string): AsyncGenerator<T> {
    const { stack, product } = running;
    const headers = { authorization: `Bearer ${stripeKeyOf(stack)}` };
    for (let after = ''; ; ) {
      const url = `${product.urls.sandbox}${path}?limit=100${after}`;
      // Retries like a browser: the server may have closed an idle connection.
      const response = await fetch(url, { headers }).catch(() => fetch(url, { headers }));
      const page = (await response.json()) as { data: T[]; has_more: boolean };
      for (const one of page.data) yield one;
      const last = page.data.at(-1);
      if (!page.has_more || last === undefined) return;
      after = `&starting_after=${last.id}`;
    }
  }
});
