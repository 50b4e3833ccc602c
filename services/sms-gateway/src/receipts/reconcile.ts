import type { Clock } from '@daylift/clock/clock';
import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import type { Logger } from '@daylift/server/logger';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { SmsProvider } from '../provider/provider.ts';
import { lockText, type Text } from '../texts/texts.repository.ts';
import { evidenceOf } from './receipt.ts';
import { applyEvidence, countProgress } from './receipts.actions.ts';
import { claimUnresolved, stopLookups } from './receipts.repository.ts';

export interface ReconcileDeps {
  db: Kysely<SmsDatabase>;
  clock: Clock;
  log: Logger;
  provider: SmsProvider;
}

const perLook = 20;
/** A text may wait in the provider's queue, and has no record until it leaves it. */
const longestQueueMs = 4 * hourMs + 10 * minuteMs;
/** The provider deletes messages after ten days. */
const forgottenAfterMs = 9 * dayMs;
/** Allowed difference between the provider's time for a text and ours. */
const slackMs = 5 * minuteMs;

/** Asks the provider about texts with overdue receipts or a lost response. Never resends. */
export async function reconcile(deps: ReconcileDeps): Promise<number> {
  const texts = await claimUnresolved(deps.db, deps.clock.now(), perLook);
  await Promise.all(
    texts.map((text) =>
      clear(deps, text).catch((error: unknown) =>
        // The next lookup is already scheduled.
        deps.log.warn({ err: error, text_id: text.id }, 'provider lookup failed'),
      ),
    ),
  );
  return texts.length;
}

async function clear(deps: ReconcileDeps, text: Text): Promise<void> {
  const providerId = text.provider_id ?? (await findProviderId(deps, text));
  const message = providerId === null ? null : await deps.provider.lookUp(providerId);
  const now = deps.clock.now();
  const age = now.getTime() - (text.handed_at ?? text.created_at).getTime();
  if (message === null) {
    const hopeless = text.provider_id === null ? age > longestQueueMs : age > forgottenAfterMs;
    if (hopeless) await stopLookups(deps.db, text);
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
    until: new Date(text.handed_at.getTime() + longestQueueMs),
    except: text.returned_ids ?? [],
  });
}
