import type { Generated, Selectable } from 'kysely';

export interface ManualSendsTable {
  id: string;
  scheduled_message_id: string;
  batch_id: string;
  hold_quiet_hours: boolean;
  requested_at: Date;
  after_user_id: string | null;
  total: Generated<number>;
  finished_at: Date | null;
}
export type ManualSend = Selectable<ManualSendsTable>;
