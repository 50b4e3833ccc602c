import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import { Counter } from '@daylift/server/metrics';
import type { SmsDeps } from '../deps.ts';
import { decideByWindows } from '../texts/decide-send.ts';
import { type SenderDeps, type SendResult, sendTexts } from '../texts/send-texts.ts';
import { lockText, type Text } from '../texts/texts.repository.ts';
import { evidenceOf } from './receipt.ts';
import { applyEvidence, countProgress } from './receipts.actions.ts';
import { checkBy, claimUnresolved, stopLookups } from './receipts.repository.ts';

type ReconcileDeps = SenderDeps & Pick<SmsDeps, 'isIdempotent'>;

const batchSize = 20;
/** A text may wait in the provider's queue, and has no record until it leaves it. */
const maxQueueMs = 4 * hourMs + 10 * minuteMs;
/** The provider deletes messages after ten days. */
const forgottenAfterMs = 9 * dayMs;
/** Allowed difference between the provider's time for a text and ours. */
const slackMs = 5 * minuteMs;

/** The provider forgets a key after a day. */
const keyKeptMs = 23 * hourMs;

const repeats = new Counter({
  name: 'sms_repeated_sends_total',
  help: 'Texts with an unknown outcome sent again with the same key, by result',
  labelNames: ['result'],
});
repeats.labels('accepted').inc(0);

/**
 * Settles texts with overdue receipts or a lost response: sends those with an unknown outcome again if the provider
 * honors their key, and asks the provider about the others.
 */
export async function reconcile(deps: ReconcileDeps): Promise<number> {
  const texts = await claimUnresolved(deps.db, deps.clock.now(), batchSize);
  const now = deps.clock.now();
  const isRepeatable = (text: Text) => repeatableAt(deps, text, now)?.getTime() === now.getTime();
  const repeated = texts.filter(isRepeatable).map(({ id }) => id);
  const results = await repeat(deps, repeated);
  const settled = new Set(repeated.filter((_, index) => results[index] === 'accepted'));
  const open = texts.filter(({ id }) => !settled.has(id));
  await Promise.all(
    open.map((text) =>
      clear(deps, text).catch((error: unknown) =>
        // The next lookup is already scheduled.
        deps.log.warn({ err: error, text_id: text.id }, 'provider lookup failed'),
      ),
    ),
  );
  return texts.length;
}

async function repeat(deps: ReconcileDeps, ids: string[]): Promise<SendResult[]> {
  if (ids.length === 0) return [];
  const results = await sendTexts(deps, ids, { isRepeat: true }).catch(
    (error: unknown): SendResult[] => {
      // The lookup below needs less, for example no rate limiter.
      deps.log.warn({ err: error }, 'retry of unknown texts failed');
      return [];
    },
  );
  for (const result of results) repeats.labels(result).inc();
  return results;
}

/** Returns when the text may be sent again with its key at the earliest, or null if that is never. */
function repeatableAt({ isIdempotent }: ReconcileDeps, text: Text, now: Date): Date | null {
  if (!isIdempotent || text.state !== 'unknown' || text.handed_at === null) return null;
  const windows = decideByWindows(text.windows, now);
  const at = windows === 'open' ? now : windows.do === 'wait' ? windows.until : null;
  return at !== null && at.getTime() - text.handed_at.getTime() < keyKeptMs ? at : null;
}

async function clear(deps: ReconcileDeps, text: Text): Promise<void> {
  const repeatAt = repeatableAt(deps, text, deps.clock.now());
  if (repeatAt !== null && repeatAt > deps.clock.now()) await checkBy(deps.db, text, repeatAt);
  const providerId = text.provider_id ?? (await findProviderId(deps, text));
  const message = providerId === null ? null : await deps.provider.lookUp(providerId);
  const now = deps.clock.now();
  const age = now.getTime() - (text.handed_at ?? text.created_at).getTime();
  if (message === null) {
    const isLost = text.provider_id === null ? age > maxQueueMs : age > forgottenAfterMs;
    if (isLost && repeatAt === null) await stopLookups(deps.db, text);
    return;
  }
  const progress = await deps.db.transaction().execute(async (trx) => {
    const current = await lockText(trx, text);
    if (current === undefined || current.finalized_at !== null) return [];
    const evidence = evidenceOf(message);
    return applyEvidence(trx, [{ text: current, evidence, now, checkAt: current.check_at }]);
  });
  for (const one of progress) countProgress(one);
}

async function findProviderId(deps: ReconcileDeps, text: Text): Promise<string | null> {
  if (text.to_number === null || text.handed_at === null) return null;
  return deps.provider.findRecord({
    id: text.id,
    to: text.to_number,
    from: new Date(text.handed_at.getTime() - slackMs),
    until: new Date(text.handed_at.getTime() + maxQueueMs),
    except: text.returned_ids ?? [],
  });
}
