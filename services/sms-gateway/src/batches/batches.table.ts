import type { BatchKind } from '@daylift/contracts/scheduler.events';
import type { Generated } from 'kysely';
import type { Static } from 'typebox';

interface Counts {
  total: Generated<number>;
  successful: Generated<number>;
  failed: Generated<number>;
  pending: Generated<number>;
}

export interface BatchesTable extends Counts {
  id: string;
  kind: Static<typeof BatchKind>;
  name: string;
  created_at: Date;
  version: Generated<number>;
}

export interface BatchMessagesTable extends Counts {
  batch_id: string;
  scheduled_message_id: string;
}

export interface DailyCountsTable {
  local_date: string;
  successful: Generated<number>;
  failed: Generated<number>;
  cost: Generated<string>;
}

export interface CountChangesTable {
  position: Generated<number>;
  batch_id: string;
  scheduled_message_id: string | null;
  local_date: string;
  total: number;
  successful: number;
  failed: number;
  pending: number;
  day_successful: number;
  day_failed: number;
  day_cost: string;
}
