import type { Selectable } from 'kysely';
import type { Db, DisputesTable, Trx } from '../database.ts';

export type Dispute = Selectable<DisputesTable>;

/** Returns false if a newer read was stored before. */
export async function putDispute(trx: Trx, dispute: Dispute): Promise<boolean> {
  const written = await trx
    .insertInto('disputes')
    .values(dispute)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(dispute)
        .where('disputes.read_ticket', '<', dispute.read_ticket),
    )
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

export async function findDisputeState(db: Db, id: string): Promise<Dispute['state'] | undefined> {
  const row = await db
    .selectFrom('disputes')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.state;
}

export async function findPayer(db: Db, paymentIntentId: string): Promise<string | null> {
  const invoice = await db
    .selectFrom('invoices')
    .select('user_id')
    .where('payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();
  return invoice?.user_id ?? null;
}

export function findDisputes(
  db: Db,
  userId: string,
  { from, until, limit = 100 }: { from?: Date; until?: Date; limit?: number } = {},
): Promise<Dispute[]> {
  return db
    .selectFrom('invoices')
    .innerJoin('disputes', 'disputes.payment_intent_id', 'invoices.payment_intent_id')
    .selectAll('disputes')
    .where('invoices.user_id', '=', userId)
    .$if(until !== undefined, (query) => query.where('disputes.created_at', '<=', until!))
    .$if(from !== undefined, (query) => query.where('disputes.created_at', '>=', from!))
    .orderBy('disputes.created_at', 'desc')
    .orderBy('disputes.id')
    .limit(limit)
    .execute();
}

/** Returns disputes that need evidence, most urgent first. */
export function listUnanswered(db: Db, limit: number) {
  return db
    .selectFrom('disputes')
    .leftJoin('invoices', 'invoices.payment_intent_id', 'disputes.payment_intent_id')
    .selectAll('disputes')
    .select('invoices.user_id')
    .where('respond_by', 'is not', null)
    .orderBy('respond_by')
    .orderBy('disputes.id')
    .limit(limit)
    .execute();
}
