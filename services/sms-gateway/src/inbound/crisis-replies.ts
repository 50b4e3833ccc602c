import type { Clock } from '@daylift/clock/clock';
import { hourMs } from '@daylift/clock/durations';
import { queueMail } from '@daylift/mail/mail';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isOptedOut } from '../opt-outs/opt-outs.repository.ts';
import { queueTransactionalText } from '../welcome/transactional-texts.ts';
import type { TransactionalWords } from '../welcome/words.ts';
import { crisisText } from './crisis-lines.ts';
import { findAlertAddress } from './inbound.repository.ts';

export interface CrisisDeps {
  clock: Clock;
  words: TransactionalWords;
  adminUrl: string;
  servedCountry(number: string): Promise<string | null>;
}

interface CrisisReply {
  from: string;
  to: string | null;
  user_id: string | null;
  timezone: string | null;
  numberHash: string;
}

/**
 * Texts the crisis line of the number's country immediately and alerts staff: once an hour per number, so two automatic
 * responders can't loop. A number that opted out gets no text.
 */
export async function respondToCrisis(
  trx: Transaction<SmsDatabase>,
  { from, to, user_id, timezone, numberHash }: CrisisReply,
  deps: CrisisDeps,
): Promise<void> {
  const now = deps.clock.now();
  const key = `crisis:${numberHash}:${Math.floor(now.getTime() / hourMs)}`;
  await alertStaff(trx, key, deps);
  const country = await deps.servedCountry(from);
  if (country === null || (await isOptedOut(trx, numberHash))) return;
  await queueTransactionalText(trx, {
    key,
    kind: 'crisis_line',
    content: crisisText(deps.words, country),
    user_id,
    reply_to: from,
    // Without an account, a later STOP is found by the number.
    ...(user_id === null && { pinned_hash: numberHash }),
    sender: to,
    timezone: timezone ?? 'UTC',
    now,
    is_urgent: true,
  });
}

/** Emails staff, or support if no alert address is set, without the person's words or number. */
async function alertStaff(
  trx: Transaction<SmsDatabase>,
  key: string,
  { clock, words, adminUrl }: CrisisDeps,
): Promise<void> {
  const to = (await findAlertAddress(trx)) ?? words.supportEmail;
  const subject = `${words.productName}: someone may be in danger`;
  const text = [
    'A reply suggests that someone may be in danger. We text them their country’s crisis line when possible.',
    'Please read the reply now. It is at the top of the inbox.',
    '',
    `Inbox: ${adminUrl}?tab=inbox`,
  ].join('\n');
  await queueMail(trx, { key: `alert:${key}`, to, subject, text }, clock.now());
}
