import type { ReplyCommand } from '@daylift/contracts/sms.events';
import { Unauthorized } from '@daylift/server/error';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import { recordUserChange } from '../user-changes/user-changes.repository.ts';
import type { Actor } from '../user-changes/user-changes.table.ts';
import { localDateOf, weekdayOfTomorrow } from './local-dates.ts';
import { publishUser } from './user-events.ts';
import { updateUser } from './users.repository.ts';
import type { User, UserChange } from './users.table.ts';

/** Whom a token was given to and when, by the version that ends all earlier ones. */
export interface Session {
  user_id: string;
  session_version: number;
}

/** The person behind a token that still counts; the gateway has checked too, up to a second ago. */
export function signedIn(user: User | undefined, session: Session): User {
  if (user?.is_active !== true || user.session_version !== session.session_version)
    throw new Unauthorized();
  return user;
}

/** Has come through a checkout once. Before that the number may be anybody's, and is not asked for a YES. */
export const hasSubscribed = ({ subscription_version }: Pick<User, 'subscription_version'>) =>
  subscription_version > 0;

/** Weekly texts come on the weekday of the day after the switch, unless one is chosen. */
export function frequencyChange(
  user: User,
  frequency: User['frequency'],
  now: Date,
  chosen: { weekday?: number | undefined; timezone?: string | undefined } = {},
): UserChange {
  if (frequency === 'daily') return { frequency, weekday: null };
  const kept = user.frequency === 'weekly' ? user.weekday : null;
  const tomorrow = () => weekdayOfTomorrow(now, chosen.timezone ?? user.timezone);
  return { frequency, weekday: chosen.weekday ?? kept ?? tomorrow() };
}

/** Writes what is different, as a new version that the others are told of, and who made it so. */
export async function changeUser(
  trx: Transaction<AccountsDatabase>,
  user: User,
  change: UserChange,
  now: Date,
  actor: Actor,
): Promise<User> {
  const different = Object.entries(change).filter(
    ([field, value]) => user[field as keyof User] !== value,
  );
  if (different.length === 0) return user;
  await recordUserChange(trx, user, change, { actor, at: now });
  const changed = await updateUser(trx, user.id, {
    ...Object.fromEntries(different),
    version: user.version + 1,
  });
  await publishUser(trx, changed, now);
  return changed;
}

/** What a reply such as PAUSE 7 or 7AM makes of the settings, counted from the moment it was sent. */
export function replyChange(user: User, command: ReplyCommand, at: Date): UserChange {
  switch (command.command) {
    case 'pause': {
      const until = localDateOf(at, user.timezone).add({ days: command.days });
      return { paused_until: until.toString() };
    }
    case 'resume':
      return { paused_until: null };
    case 'hour':
      return { delivery_hour: command.delivery_hour };
    case 'frequency':
      return frequencyChange(user, command.frequency, at);
  }
}
