import type { SmsBatch } from '@daylift/contracts/sms.http';
import { type Kysely, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';

interface BatchCounts {
  id: string;
  name: string;
  created_at: Date;
  total: number;
  successful: number;
  failed: number;
  pending: number;
}

/** Newest first. Counts are exact: they include changes that are not folded yet. */
export async function findBatches(db: Kysely<SmsDatabase>, limit: number): Promise<SmsBatch[]> {
  const result = await sql<BatchCounts>`
    with newest as (select * from batches order by created_at desc, id limit ${limit})
    select b.id, b.name, b.created_at, b.total + coalesce(sum(c.total), 0)::int as total,
      b.successful + coalesce(sum(c.successful), 0)::int as successful,
      b.failed + coalesce(sum(c.failed), 0)::int as failed,
      b.pending + coalesce(sum(c.pending), 0)::int as pending
    from newest b left join count_changes c on c.batch_id = b.id
    group by b.id, b.name, b.created_at, b.total, b.successful, b.failed, b.pending
    order by b.created_at desc, b.id`.execute(db);
  return result.rows.map(batchOf);
}

function batchOf(counts: BatchCounts): SmsBatch {
  const { id, name, created_at, total, successful, failed } = counts;
  const tried = successful + failed;
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    total_jobs: total,
    completed_jobs: successful,
    failed_jobs: failed,
    status: statusOf(counts),
    failure_rate: tried === 0 ? 0 : Math.round((failed / tried) * 1_000) / 10,
  };
}

/** A batch is `failed` if it is complete and none of its texts went out, although some should have. */
function statusOf({ total, successful, failed, pending }: BatchCounts): SmsBatch['status'] {
  if (pending === 0) return successful === 0 && failed > 0 ? 'failed' : 'completed';
  return pending === total ? 'pending' : 'processing';
}
