import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plan_changes
    drop constraint plan_changes_action_check,
    add constraint plan_changes_action_check
      check (action in ('upgrade', 'switch', 'cancel', 'undo_cancel', 'pay', 'move_price')) not valid`.execute(
    db,
  );
}
