import { sql } from 'kysely';
import type { Trx } from '../database.ts';
import {
  type Actor,
  type FieldChanges,
  type TrackedField,
  trackedFields,
} from './user-changes.table.ts';
import type { User, UserChange } from './users.table.ts';

const namesPerson: readonly string[] = ['phone', 'name', 'email'];

/** Records what a change made different, in its transaction. Skips untracked fields. */
export async function recordUserChange(
  trx: Trx,
  before: User,
  change: UserChange,
  by: { actor: Actor; at: Date },
): Promise<void> {
  const changes: FieldChanges = {};
  for (const field of trackedFields) {
    const to = change[field];
    if (to === undefined || to === before[field]) continue;
    changes[field] = namesPerson.includes(field) ? [null, null] : [before[field], to];
  }
  if (Object.keys(changes).length === 0) return;
  const { actor, at } = by;
  await trx
    .insertInto('user_changes')
    .values({
      user_id: before.id,
      changed_at: at,
      actor: actor.by,
      admin_id: actor.by === 'admin' ? actor.admin_id : null,
      admin_username: actor.by === 'admin' ? actor.username : null,
      changes: JSON.stringify(changes),
    })
    .execute();
}

/** Returns whether a field changed after an instant, other than by a reply. */
export async function hasChangedSince(
  trx: Trx,
  userId: string,
  field: TrackedField,
  at: Date,
): Promise<boolean> {
  const change = await trx
    .selectFrom('user_changes')
    .select('id')
    .where('user_id', '=', userId)
    .where('changed_at', '>', at)
    .where('actor', '<>', 'reply')
    .where(sql<boolean>`changes ? ${field}`)
    .limit(1)
    .executeTakeFirst();
  return change !== undefined;
}
