import { afterAll, beforeAll, expect, test } from 'vitest';
import { owner } from './money/people.ts';
import { type Played, play } from './money/play.ts';
import { race } from './money/race.ts';
import { recount } from './money/recount.ts';
import { type MoneyStack, startMoneyServers, startMoneyStack } from './money/stack.ts';
import { generateFaults, generateWorlds } from './money/stories.ts';

const numberOf = (name: string, byDefault: number) => Number(process.env[name] ?? byDefault);
/** In rounds of this many, each on the same days of one product. */
const histories = numberOf('MONEY_HISTORIES', 300);
const perRound = numberOf('MONEY_ROUND', 300);
const races = numberOf('MONEY_RACES', 500);
/** Subscribers of the simulated year. None by default, because it takes half an hour. */
const subscribers = numberOf('MONEY_SUBSCRIBERS', 0);
const days = numberOf('MONEY_DAYS', 45);
const seed = numberOf('MONEY_SEED', 20270305);

let servers: { stop(): Promise<void> };
let stack: MoneyStack;
beforeAll(async () => {
  servers = await startMoneyServers();
});
afterAll(() => servers?.stop());

/** Runs on its own product, in which nothing may fail permanently. */
async function onStack(
  clockStart: string,
  run: () => Promise<void>,
  isTaxed = false,
): Promise<void> {
  stack = await startMoneyStack(clockStart, isTaxed);
  try {
    await run();
    const failed = await stack.query(
      'select kind, subject, error from provider_tasks where parked_at is not null',
    );
    expect(failed).toEqual([]);
    const [row] = await stack.query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    expect(row).toEqual({ deadlocks: 0 });
    expect(await stack.giftsWithoutEmail()).toEqual([]);
  } finally {
    await stack.stop();
  }
}

const isTaxed = (round: number) => round % 2 === 1;

async function playRound(done: number, round: number): Promise<void> {
  const worlds = generateWorlds(Math.min(perRound, histories - done), days, round);
  const played = await play(stack, worlds, { days, faults: generateFaults(days, round) });
  report(played, round);
  expect(played.divergences.slice(0, 5).map(textOf)).toEqual([]);
  const { oracle, billing, ledger } = played.revenue;
  if (played.ambiguous === 0) expect(billing).toEqual(oracle);
  expect(billing).toEqual(ledger);
}

test.runIf(histories > 0)(
  `${histories} histories end as the oracle computes (seed ${seed})`,
  async () => {
    for (let done = 0, round = seed; done < histories; done += perRound, round += 1)
      await onStack('2027-03-05T12:00:00Z', () => playRound(done, round), isTaxed(round));
  },
  36_000_000,
);

test.runIf(races > 0)(
  `${races} subscribers do several things at once, and each ends with one subscription, paid once (seed ${seed})`,
  () =>
    onStack('2027-03-05T12:00:00Z', async () => {
      expect(await race(stack, races, seed)).toEqual([]);
    }),
  36_000_000,
);

test(`in a year of ${subscribers} subscribers, figures equal a recount and revenue the ledger (seed ${seed})`, ({
  skip,
}) => {
  skip(subscribers === 0, 'it takes half an hour; MONEY_SUBSCRIBERS sets its size');
  return onStack('2027-01-01T12:00:00Z', async () => {
    const wrong: string[] = [];
    let monthStart = new Date('2027-01-01T00:00:00Z');
    const worlds = generateWorlds(subscribers, 366, seed);
    // They join in the first ten months.
    for (const [index, stories] of worlds.entries())
      for (const story of stories) {
        // The recount knows one currency.
        story.currency = 'usd';
        shift(story, Math.floor((index / worlds.length) * 300));
      }
    const onDay = async (midnight: Date) => {
      const { billing, ledger } = await stack.revenue();
      const date = midnight.toISOString().slice(0, 10);
      if (billing.usd !== ledger.usd)
        wrong.push(`${date}: revenue ${billing.usd}, ledger ${ledger.usd}`);
      if (midnight.getUTCDate() !== 1) return;
      const expected = await recount(stack, monthStart, midnight);
      const actual = await readFigures(monthStart, midnight, Object.keys(expected));
      console.log(JSON.stringify({ month: monthStart.toISOString().slice(0, 7), ...expected }));
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        wrong.push(`${date}: ${JSON.stringify({ expected, actual })}`);
      monthStart = midnight;
    };
    const played = await play(stack, worlds, { days: 366, faults: [], onDay });
    report(played, seed);
    expect(wrong).toEqual([]);
    expect(played.divergences.slice(0, 5).map(textOf)).toEqual([]);
  });
}, 36_000_000);

function shift(story: { start: number; acts: { day: number }[] }, by: number): void {
  story.start += by;
  for (const act of story.acts) act.day += by;
}

async function readFigures(
  from: Date,
  end: Date,
  ids: string[],
): Promise<Record<string, number | null>> {
  const last = new Date(end.getTime() - 86_400_000);
  const [first, to] = [from, last].map((date) => date.toISOString().slice(0, 10));
  const { body } = await stack.callReliably(owner(), `/admin/business?from=${first}&to=${to}`);
  const figures = body.figures as { id: string; value: number | null }[];
  return Object.fromEntries(
    ids.map((id) => [id, figures.find((figure) => figure.id === id)?.value ?? null]),
  );
}

function report({ acts, divergences, ...played }: Played, seed: number): void {
  const counts = { ...played, divergences: divergences.length };
  console.log(JSON.stringify({ seed, ...counts, acts: Object.fromEntries(acts) }));
}

const textOf = ({ story, log, what }: Played['divergences'][number]): string =>
  [what, ...log, JSON.stringify(story)].join('\n');
