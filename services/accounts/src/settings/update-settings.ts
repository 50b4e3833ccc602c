import type { UpdateMeRequest } from '@daylift/contracts/accounts.http';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { CodeWrong, InvalidPause, OptedOut, WeekdayWithoutWeekly } from '../errors.ts';
import { closeCode } from '../one-time-codes/one-time-codes.repository.ts';
import {
  authorizeContactChange,
  changeAddresses,
  type WantedAddresses,
} from '../proofs/change-addresses.ts';
import { changeContact } from '../proofs/change-contact.ts';
import { localDateOf } from '../users/local-dates.ts';
import { readPersonName } from '../users/person-name.ts';
import { readTimeZone } from '../users/time-zone.ts';
import type { Actor } from '../users/user-changes.table.ts';
import { recipientOf } from '../users/user-events.ts';
import { changeUser, frequencyChange, type Session, signedIn } from '../users/users.actions.ts';
import { findUser, lockUser } from '../users/users.repository.ts';
import type { User, UserChange } from '../users/users.table.ts';

export async function updateSettings(
  deps: AccountsDeps,
  session: Session,
  request: UpdateMeRequest,
  clientHash: string | null = null,
): Promise<User> {
  const check = (user: User | undefined) => signedIn(user, session);
  const known = check(await findUser(deps.db, session.user_id));
  const allowed = await authorizeContactChange(deps, known, request);
  const actor = { by: 'subscriber' as const };
  return saveSettings(deps, known, request, { ...allowed, actor, clientHash, check });
}

interface Saving {
  wanted: WantedAddresses;
  /** Authorizes the change, once. */
  codeRequest?: string;
  actor: Actor;
  clientHash: string | null;
  /** Throws if the locked user may not be changed. */
  check: (user: User | undefined) => User;
  record?: (trx: Trx, before: User, after: User) => Promise<void>;
}

/** Saves a change by the subscriber or an admin; the same rules apply. */
export async function saveSettings(
  deps: AccountsDeps,
  known: User,
  request: UpdateMeRequest,
  { wanted, codeRequest, actor, clientHash, check, record }: Saving,
): Promise<User> {
  const now = deps.clock.now();
  const changed = await deps.db.transaction().execute(async (trx) => {
    const user = check(await lockUser(trx, known.id));
    if (codeRequest && !(await closeCode(trx, codeRequest, now))) throw new CodeWrong();
    refuseAgainstStop(user, request);
    const change = settingsChange(user, request, now);
    const moved =
      change.name === undefined
        ? await changeUser(trx, user, change, now, actor)
        : await changeContact(trx, deps, user, change, actor);
    const changed = await changeAddresses(trx, deps, moved, wanted, { actor, clientHash });
    await record?.(trx, user, changed);
    return changed;
  });
  if (changed.version !== known.version) await deps.applyRecipient(recipientOf(changed, actor.by));
  return changed;
}

/**
 * Only the phone that sent STOP can lift it. A form that sends the switch unchanged with other settings is accepted.
 */
function refuseAgainstStop(user: User, request: UpdateMeRequest): void {
  if (!user.opted_out || request.delivery_enabled !== true) return;
  if (!user.delivery_enabled || Object.keys(request).length === 1) throw new OptedOut();
}

function settingsChange(user: User, request: UpdateMeRequest, now: Date): UserChange {
  const change: UserChange = {};
  if (request.name !== undefined) change.name = readPersonName(request.name);
  if (request.timezone !== undefined) change.timezone = readTimeZone(request.timezone);
  if (request.delivery_time !== undefined)
    change.delivery_hour = Number(request.delivery_time.slice(0, 2));
  if (request.delivery_enabled !== undefined) change.delivery_enabled = request.delivery_enabled;
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

/** A pause ends on a later local date, within a year. */
function readPause(until: string | null, now: Date, timezone: string): string | null {
  if (until === null) return null;
  const today = localDateOf(now, timezone);
  const date = Temporal.PlainDate.from(until);
  const { compare } = Temporal.PlainDate;
  if (compare(date, today) <= 0 || compare(date, today.add({ years: 1 })) > 0)
    throw new InvalidPause();
  return until;
}
