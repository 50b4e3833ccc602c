import type { accountsEvents } from '@daylift/contracts/accounts.events';
import type { Logger } from '@daylift/server/logger';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { SmsDatabase } from '../database.ts';
import { isOptedOut } from '../inbound/opt-outs.ts';
import type { RecipientsTable } from '../recipients/recipients.table.ts';
import { queueOwnText } from './own-texts.ts';
import { consentRequestText, type OwnTextWords } from './words.ts';

type Asked = Static<(typeof accountsEvents)['accounts.consent.asked']>;
type Recipient = Selectable<RecipientsTable>;

/** More than a person needs who mistypes, too few to plague a stranger whose number others give. */
export const maxRequestsPerDay = 5;

/** What a YES answers: one such key per number of a person, from the first request on. */
export const consentKey = (recipient: { user_id: string; number_version: number }): string =>
  `consent_request:${recipient.user_id}:${recipient.number_version}`;

/**
 * Asks a number to reply YES, unless it was asked too often today, whoever asked. False: the limit is reached, and nothing
 * goes.
 */
export async function askForConsent(
  trx: Transaction<SmsDatabase>,
  recipient: Recipient & { number_hash: string },
  { key, words, now }: { key: string; words: OwnTextWords; now: Date },
): Promise<boolean> {
  const known = await trx
    .selectFrom('own_text_keys')
    .select('key')
    .where('key', '=', key)
    .executeTakeFirst();
  if (known !== undefined) return true;
  if (!(await takePlace(trx, recipient.number_hash, now))) return false;
  await queueOwnText(trx, {
    key,
    kind: 'consent_request',
    content: consentRequestText(words, recipient.frequency ?? 'daily'),
    user_id: recipient.user_id,
    reply_to: null,
    timezone: recipient.timezone ?? 'UTC',
    now,
  });
  return true;
}

/** Whoever has not come through a checkout may have typed in anybody's number. */
export const hasSubscribed = (recipient: Pick<Recipient, 'subscription_version'>): boolean =>
  recipient.subscription_version > 0;

/** One statement, so that no two requests at the same time take the same place. */
async function takePlace(
  trx: Transaction<SmsDatabase>,
  numberHash: string,
  now: Date,
): Promise<boolean> {
  const day = now.toISOString().slice(0, 10);
  const counted = await sql<{ refused: number }>`
    insert into consent_request_counts as counts (number_hash, day, asked) values (${numberHash}, ${day}, 1)
    on conflict (number_hash, day) do update set
      asked = least(counts.asked + 1, ${maxRequestsPerDay}),
      refused = counts.refused + case when counts.asked >= ${maxRequestsPerDay} then 1 else 0 end
    returning refused`.execute(trx);
  return counted.rows[0]?.refused === 0;
}

/** The person asked to be asked again, from the page; a new request each time. */
export async function askAgain(
  trx: Transaction<SmsDatabase>,
  { user_id, request_id }: Asked,
  { words, now, log }: { words: OwnTextWords; now: Date; log: Logger },
): Promise<void> {
  const recipient = await trx
    .selectFrom('recipients')
    .selectAll()
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst();
  // The person's facts come by the same road and before: the next try finds them.
  if (recipient === undefined || (recipient.version === 0 && recipient.deleted_at === null))
    throw new Error('asked for the consent of somebody who is not known yet');
  const reason = await whyNotAsk(trx, recipient);
  const { number_hash } = recipient;
  if (reason === null && number_hash !== null) {
    const key = consentKey(recipient);
    const asked = { key: `${key}:${request_id}`, words, now };
    if (await askForConsent(trx, { ...recipient, number_hash }, asked)) {
      // The YES is found by the number's own key, and the first request needs not come any more.
      await trx
        .insertInto('own_text_keys')
        .columns(['key', 'text_id', 'created_at'])
        .expression((from) =>
          from
            .selectFrom('own_text_keys')
            .select((select) => [select.val(key).as('key'), 'text_id', 'created_at'])
            .where('key', '=', asked.key),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return;
    }
  }
  log.warn({ user_id, reason: reason ?? 'asked_too_often' }, 'a request for consent is dropped');
}

async function whyNotAsk(
  trx: Transaction<SmsDatabase>,
  recipient: Recipient,
): Promise<string | null> {
  if (recipient.deleted_at !== null || recipient.number_hash === null) return 'inactive';
  if (!hasSubscribed(recipient)) return 'not_subscribed';
  if (recipient.consent !== 'pending') return `consent_${recipient.consent}`;
  return (await isOptedOut(trx, recipient.number_hash)) ? 'opted_out' : null;
}

export async function forgetOldCounts(db: Kysely<SmsDatabase>, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - 24 * 3_600_000).toISOString().slice(0, 10);
  await db.deleteFrom('consent_request_counts').where('day', '<', yesterday).execute();
}
