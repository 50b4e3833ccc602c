import type { ReplyCommand } from '@daylift/contracts/sms.events';
import { Unauthorized } from '@daylift/server/error';
import type { Trx } from '../database.ts';
import { localDateOf, weekdayOfTomorrow } from './local-dates.ts';
import { recordUserChange } from './user-changes.repository.ts';
import type { Actor } from './user-changes.table.ts';
import { publishUser } from './user-events.ts';
import { updateUser } from './users.repository.ts';
import type { User, UserChange } from './users.table.ts';

/** Identifies a token's user and version, which ends all earlier tokens. */
export interface Session {
  user_id: string;
  session_version: number;
}

/** Returns the user of a valid token. The gateway has checked it too, up to a second ago. */
export function signedIn(user: User | undefined, session: Session): User {
  if (user?.is_active !== true || user.session_version !== session.session_version)
    throw new Unauthorized();
  return user;
}

/** Has completed a checkout. Before that the number may be anyone's, and isn't asked for a YES. */
export const hasSubscribed = ({ subscription_version }: Pick<User, 'subscription_version'>) =>
  subscription_version > 0;

export const isOver = (status: User['subscription_status']) =>
  status === 'expired' || status === 'canceled';

/** Returns whether billing has ended access. sms-gateway then sends the number no codes and no consent requests. */
export const hasEnded = ({
  subscription_status,
  entitled,
}: Pick<User, 'subscription_status' | 'entitled'>) => isOver(subscription_status) && !entitled;

/** Weekly texts come on the weekday after the switch, unless one is chosen. */
export function frequencyChange(
  user: User,
  frequency: User['frequency'],
  now: Date,
  chosen: { weekday?: number | undefined; timezone?: string | undefined } = {},
): UserChange {
  if (frequency === 'daily') return { frequency, weekday: null };
  const currentWeekday = user.frequency === 'weekly' ? user.weekday : null;
  const tomorrow = () => weekdayOfTomorrow(now, chosen.timezone ?? user.timezone);
  return { frequency, weekday: chosen.weekday ?? currentWeekday ?? tomorrow() };
}

/** Stores differences as a new version, publishes it and records the actor. */
export async function changeUser(
  trx: Trx,
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
  await publishUser(trx, changed, now, actor.by);
  return changed;
}

/** Returns the settings change that a reply such as PAUSE 7 or 7AM requests, as of when it was sent. */
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
