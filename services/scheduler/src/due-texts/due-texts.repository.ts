import { sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

/** Returns false if nothing changed. */
export async function saveDueTexts(
  trx: Transaction<SchedulerDatabase>,
  { until, texts }: { until: Date; texts: number },
): Promise<boolean> {
  const { rows } =
    await sql`insert into published_due_texts as last (until, texts) values (${until}, ${texts})
    on conflict (singleton) do update set until = excluded.until, texts = excluded.texts
    where (last.until, last.texts) <> (excluded.until, excluded.texts) returning until`.execute(
      trx,
    );
  return rows.length === 1;
}
