import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { withoutCode } from '../texts/code-text.ts';
import { statusOf } from '../texts/text-states.ts';

/** Returns the person if anything is stored for them and they are not deleted. */
export async function findPerson(
  db: Kysely<SmsDatabase>,
  userId: string,
): Promise<
  { phone: string | null; number_hash: string | null; phone_proven: boolean } | undefined
> {
  return db
    .selectFrom('recipients')
    .select(['phone', 'number_hash', 'phone_proven'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Returns every text to a person, transactional ones too, as sent, with earlier replies to the proven number. */
export async function exportTexts(
  db: Kysely<SmsDatabase>,
  userId: string,
  provenPhone: string | null,
) {
  const rows = await db
    .selectFrom('texts')
    .select(['kind', 'local_date', 'content', 'body', 'state', 'reason', 'is_test'])
    .select(['to_number', 'created_at', 'handed_at', 'finalized_at'])
    .where((where) =>
      where.or([
        where('user_id', '=', userId),
        ...(provenPhone === null
          ? []
          : [where.and([where('user_id', 'is', null), where('reply_to', '=', provenPhone)])]),
      ]),
    )
    .orderBy('local_date')
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    local_date: row.local_date,
    content: withoutCode(row.body ?? row.content),
    status: statusOf(row.state),
    reason: row.reason,
    // A test went to the tester's number.
    number: row.is_test ? null : row.to_number,
    is_test: row.is_test,
    queued_at: row.created_at,
    sent_at: row.handed_at,
    finished_at: row.finalized_at,
  }));
}

/** Returns messages from numbers that the person has proven, including earlier ones. */
export function exportReplies(db: Kysely<SmsDatabase>, userId: string, provenPhone: string | null) {
  return db
    .selectFrom('inbound_texts')
    .select(['received_at', 'from_number as number', 'content'])
    .where((where) =>
      where.or([
        where.and([where('user_id', '=', userId), where('from_proven', '=', true)]),
        where.and([
          where.or([where('user_id', '=', userId), where('user_id', 'is', null)]),
          where('from_number', '=', provenPhone ?? ''),
        ]),
      ]),
    )
    .orderBy('received_at')
    .execute();
}

/** Returns the last STOP or START of the number. */
export async function exportOptOut(db: Kysely<SmsDatabase>, numberHash: string | null) {
  const row = await db
    .selectFrom('opt_outs')
    .select(['opted_out', 'changed_at', 'source'])
    .where('number_hash', '=', numberHash ?? '')
    .executeTakeFirst();
  return row ?? null;
}

/** Returns what admins noted about opt-outs that the person asked for. */
export function exportStaffOptOuts(db: Kysely<SmsDatabase>, userId: string) {
  return db
    .selectFrom('staff_opt_outs')
    .select(['opted_out_at', 'note'])
    .where('user_id', '=', userId)
    .orderBy('opted_out_at')
    .execute();
}
