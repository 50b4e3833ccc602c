import { dayMs } from '@daylift/clock/durations';

/** Stages after a failed payment, in order. Each sends one email. */
export const stages = [
  'failed',
  'reminder',
  'second_reminder',
  'last_reminder',
  'stopped',
] as const;
export type Stage = (typeof stages)[number];

export interface DunningFacts {
  /** When the payment failed. */
  since: Date;
  entitled: boolean;
  /** When texts stop, or null if they have stopped or have no end. */
  texts_until: Date | null;
}

/** Returns the stage at `now`, and when the next one starts. */
export function stageOf(facts: DunningFacts, now: Date): { stage: Stage; next_at: Date | null } {
  if (!facts.entitled) return { stage: 'stopped', next_at: null };
  const started = beginnings(facts).filter(([, at]) => at <= now);
  const next = beginnings(facts).find(([, at]) => at > now);
  return { stage: started.at(-1)?.[0] ?? 'failed', next_at: next?.[1] ?? null };
}

function beginnings({ since, texts_until: end }: DunningFacts): [Stage, Date][] {
  const after = (instant: Date, days: number) => new Date(instant.getTime() + days * dayMs);
  const last = end === null ? null : after(end, -1);
  const reminders: [Stage, Date][] = [
    ['reminder', after(since, 3)],
    ['second_reminder', after(since, 5)],
  ];
  return [
    // If texts stop early, the last reminder replaces the others.
    ...reminders.filter(([, at]) => last === null || at < last),
    ...(last === null || end === null
      ? []
      : ([
          ['last_reminder', last],
          ['stopped', end],
        ] as [Stage, Date][])),
  ];
}
