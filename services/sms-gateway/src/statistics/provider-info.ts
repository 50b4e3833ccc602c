import type { ProviderInfo } from '@daylift/contracts/sms-operations.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { findCheck } from '../block-list/block-list.repository.ts';
import type { SmsDeps } from '../deps.ts';
import { describePause } from '../provider/describe-pause.ts';
import { findSendPause } from '../provider/send-pause.repository.ts';
import { findLatestReceiptAt } from '../receipts/receipts.repository.ts';
import { findSenders } from '../senders/senders.repository.ts';
import { findPrice, hasPricedReceipt } from './statistics.repository.ts';

/** Returns the provider's setup, its price per the receipts, and whether it is available. */
export async function readProviderInfo(deps: SmsDeps): Promise<ProviderInfo> {
  const { db, settings } = deps;
  const [check, price, isPriced, latest, pool] = await Promise.all([
    findCheck(db),
    findPrice(db, settings.SMS_PRICE_PER_PART),
    hasPricedReceipt(db),
    findLatestReceiptAt(db),
    findSenders(deps),
  ]);
  return {
    mode: settings.SANDBOX_URL === undefined ? 'live' : 'sandbox',
    rate_per_second: settings.SMS_RATE_PER_SECOND,
    batch_size: settings.SMS_BATCH_SIZE,
    sending_numbers: pool.map(({ number }) => number),
    cost_per_part: price.per_part,
    currency: price.currency,
    cost_from: isPriced ? 'receipts' : 'configuration',
    latest_receipt_at: latest?.toISOString() ?? null,
    spend_limit: await deps.spendLimit.read(db),
    block_list:
      check.only_here === null || check.lifted === null
        ? null
        : {
            ...check,
            only_here: check.only_here,
            lifted: check.lifted,
            checked_at: check.started_at.toISOString(),
          },
    pause: await readPause(db),
  };
}

async function readPause(db: SmsDeps['db']): Promise<ProviderInfo['pause']> {
  const pause = await findSendPause(db);
  if (pause === null) return null;
  const { since, code, advice, next_try_at } = describePause(pause);
  return {
    since,
    code,
    reason: reasonInWords(code) ?? code,
    advice,
    next_probe_at: next_try_at,
    failed_probes: pause.failed_probes,
  };
}
