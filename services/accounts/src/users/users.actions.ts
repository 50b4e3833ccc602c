import type { UpdateMeRequest } from '@daylift/contracts/accounts.http';
import type { ReplyCommand } from '@daylift/contracts/sms.events';
import { queueMail } from '@daylift/mail/mail';
import { Unauthorized } from '@daylift/server/error';
import type { Transaction } from 'kysely';
import { type AccountsDatabase, isUniqueViolation } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import {
  InvalidPause,
  OptedOut,
  PhoneTaken,
  TooManyPhoneChanges,
  WeekdayWithoutWeekly,
} from '../errors.ts';
import { recordUserChange } from '../user-changes/user-changes.repository.ts';
import type { Actor } from '../user-changes/user-changes.table.ts';
import { localDateOf, weekdayOfTomorrow } from './local-dates.ts';
import { countPhoneChanges, insertPhoneChange } from './phone-changes.repository.ts';
import { readTimeZone } from './time-zone.ts';
import { publishUser } from './user-events.ts';
import { lockUser, updateUser } from './users.repository.ts';
import type { User, UserChange } from './users.table.ts';
import { numberChanged } from './words.ts';

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

/** A subscriber changes their own settings. Nothing is published when nothing became different. */
export async function updateSettings(
  deps: AccountsDeps,
  session: Session,
  request: UpdateMeRequest,
): Promise<User> {
  const now = deps.clock.now();
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const user = signedIn(await lockUser(trx, session.user_id), session);
      refuseAgainstStop(user, request);
      const change = settingsChange(deps, user, request, now);
      if (change.phone !== undefined) await countPhoneChange(trx, user, now);
      const changed = await changeUser(trx, user, change, now, { by: 'subscriber' });
      if (change.phone !== undefined) await tellOfNumber(trx, deps, changed);
      return changed;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_phone_key')) throw new PhoneTaken();
    throw error;
  }
}

/**
 * Only the phone that sent STOP can lift it. A form that sends the switch along unchanged, beside other settings, asks
 * for nothing new and is let through.
 */
function refuseAgainstStop(user: User, request: UpdateMeRequest): void {
  if (!user.opted_out || request.delivery_enabled !== true) return;
  if (!user.delivery_enabled || Object.keys(request).length === 1) throw new OptedOut();
}

function settingsChange(
  deps: AccountsDeps,
  user: User,
  request: UpdateMeRequest,
  now: Date,
): UserChange {
  const change: UserChange = {};
  if (request.timezone !== undefined) change.timezone = readTimeZone(request.timezone);
  if (request.delivery_time !== undefined)
    change.delivery_hour = Number(request.delivery_time.slice(0, 2));
  if (request.delivery_enabled !== undefined) change.delivery_enabled = request.delivery_enabled;
  if (request.phone !== undefined) {
    const phone = deps.readPhone(request.phone);
    if (phone !== user.phone) Object.assign(change, phoneChange(user, phone));
  }
  if (request.paused_until !== undefined && request.paused_until !== user.paused_until)
    change.paused_until = readPause(request.paused_until, now, change.timezone ?? user.timezone);
  const frequency = request.delivery_frequency ?? user.frequency;
  if (request.delivery_weekday !== undefined && frequency !== 'weekly')
    throw new WeekdayWithoutWeekly();
  return {
    ...change,
    ...frequencyChange(user, frequency, now, {
      weekday: request.delivery_weekday,
      timezone: change.timezone,
    }),
  };
}

/** A pause ends on a later day of the person's own calendar; a year is as long as anybody means. */
function readPause(until: string | null, now: Date, timezone: string): string | null {
  if (until === null) return null;
  const today = localDateOf(now, timezone);
  const date = Temporal.PlainDate.from(until);
  const { compare } = Temporal.PlainDate;
  if (compare(date, today) <= 0 || compare(date, today.add({ years: 1 })) > 0)
    throw new InvalidPause();
  return until;
}

/** Consent was given for the old number: the new one is asked by text, and gets nothing else until it says YES. */
function phoneChange(user: User, phone: string): UserChange {
  return { phone, consent: 'pending', phone_since_version: user.version + 1 };
}

const dayMs = 24 * 60 * 60 * 1000;
const phoneChangesADay = 5;

/** Every new number gets a text that nobody there may have asked for. */
async function countPhoneChange(
  trx: Transaction<AccountsDatabase>,
  user: User,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - dayMs);
  if ((await countPhoneChanges(trx, user.id, since)) >= phoneChangesADay)
    throw new TooManyPhoneChanges();
  await insertPhoneChange(trx, user.id, now);
}

/** The owner may not be the one who did it, and codes to set a password will go to that number. */
async function tellOfNumber(
  trx: Transaction<AccountsDatabase>,
  { clock, product }: Pick<AccountsDeps, 'clock' | 'product'>,
  user: User,
): Promise<void> {
  const key = `number-changed:${user.id}:${user.version}`;
  await queueMail(trx, { key, to: user.email, ...numberChanged(user, product) }, clock.now());
}

/** Weekly texts come on the weekday of the day after the switch, unless one is chosen. */
function frequencyChange(
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
