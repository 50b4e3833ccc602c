import type { Clock } from '@daylift/clock/clock';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { reportUnreachable } from '../reachability/reachability.ts';
import { requestCodeEmail } from './code-text.ts';
import { type Decision, numberInactive } from './decide-send.ts';
import { type DueText, endQueued } from './due-texts.repository.ts';
import { publishSettled } from './settled.ts';
import { countMove } from './text-metrics.ts';

export interface UnsentEnd {
  text: DueText['text'];
  end: Pick<Decision & { do: 'end' }, 'reason'> & {
    state: (Decision & { do: 'end' })['state'] | 'refused';
  };
}

/** Ends queued texts that are not to be sent, and publishes why. */
export async function endUnsent(
  { db, clock }: { db: Kysely<SmsDatabase>; clock: Clock },
  ends: UnsentEnd[],
): Promise<void> {
  const now = clock.now();
  const byId = new Map(ends.map((one) => [one.text.id, one]));
  const ended = await db.transaction().execute(async (trx) => {
    const rows = await endQueued(
      trx,
      ends.map(({ text, end }) => ({ id: text.id, ...end })),
      now,
    );
    const ended = rows.map(({ id, reason }) => ({ ...byId.get(id)!, reason }));
    await publishSettled(
      trx,
      ended.map(({ text, end, reason }) => ({ text, outcome: end.state, reason })),
      now,
    );
    for (const { text, reason } of ended)
      if (reason === 'testing_mode') await requestCodeEmail(trx, text, now);
    for (const { text, reason } of ended)
      if (reason === numberInactive && text.user_id !== null)
        await reportUnreachable(trx, { user_id: text.user_id }, 'inactive', now);
    return ended;
  });
  for (const { text, end } of ended) countMove({ text, from: 'queued', to: end.state });
}
