import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import { publish } from '@daylift/events/publish';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { mailUser } from '../notices/mail-user.ts';
import { admitAddressCall } from '../users/address-calls.repository.ts';
import { countPhoneChanges } from '../users/phone-changes.repository.ts';
import { hasSubscribed } from '../users/users.actions.ts';
import { lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import {
  betweenCodesMs,
  codeLifetimeMs,
  codesADay,
  triesOfCode,
  youngNumberMs,
} from './code-limits.ts';
import { codeMailKey } from './code-mail.ts';
import {
  countCodes,
  lockOpenCode,
  replaceOpenCode,
  sendByMail,
  takeCodeRequests,
} from './one-time-codes.repository.ts';
import type { OneTimeCode } from './one-time-codes.table.ts';
import { codeByMail } from './words.ts';

export type CodeDeps = Pick<AccountsDeps, 'db' | 'clock' | 'product' | 'identityHash'>;

const batchSize = 20;

/** Processes pending code requests, skipping rate-limited and unknown users. Returns how many were processed. */
export function sendCodes(deps: CodeDeps): Promise<number> {
  return deps.db.transaction().execute(async (trx) => {
    const requests = await takeCodeRequests(trx, batchSize);
    const users = new Set(requests.flatMap(({ user_id }) => user_id ?? []));
    const known = new Set(
      requests.filter((request) => request.from_known).map((request) => request.user_id),
    );
    // Sorted, so replicas don't lock users in opposite orders.
    for (const userId of [...users].sort()) await sendCode(trx, deps, userId, known.has(userId));
    return requests.length;
  });
}

async function sendCode(
  trx: Trx,
  deps: CodeDeps,
  userId: string,
  fromKnown: boolean,
): Promise<void> {
  const user = await lockUser(trx, userId);
  const wall = new Date();
  if (user?.is_active !== true || (await isOverLimit(trx, userId, wall, fromKnown))) return;
  const now = deps.clock.now();
  const channel = await channelOf(trx, deps, { user, now, wall, fromKnown });
  if (channel === null) return;
  const address = channel === 'text' ? user.phone : user.email;
  if (address === null) return;
  await openCode(trx, deps, user, { purpose: 'recover', channel, address, fromKnown });
}

export async function openCode(
  trx: Trx,
  deps: CodeDeps,
  user: User,
  to: Pick<OneTimeCode, 'purpose' | 'channel'> & { address: string; fromKnown: boolean },
): Promise<void> {
  const now = deps.clock.now();
  const request_id = randomUUID();
  const expires_at = new Date(now.getTime() + codeLifetimeMs);
  const { purpose, channel } = to;
  await replaceOpenCode(
    trx,
    {
      ...{ request_id, user_id: user.id, requested_at: new Date(), expires_at, purpose, channel },
      address_hash: deps.identityHash(to.address),
      tries_left: triesOfCode,
      from_known: to.fromKnown,
      closed_at: null,
    },
    now,
  );
  if (channel === 'mail') return queueCodeMail(trx, deps, { user, request_id, now, purpose });
  const request = { request_id, user_id: user.id, expires_at: expires_at.toISOString() };
  const details =
    purpose === 'change' ? { for_change: true as const } : purpose === 'prove' ? { purpose } : {};
  await publish(trx, accountsEvents, 'accounts.code.requested', { ...request, ...details }, now);
}

export async function mailCode(
  trx: Trx,
  deps: Pick<CodeDeps, 'clock' | 'product' | 'identityHash'>,
  { user_id, request_id }: { user_id: string; request_id: string },
): Promise<void> {
  const user = await lockUser(trx, user_id);
  const open = await lockOpenCode(trx, user_id, 'recover');
  const now = deps.clock.now();
  if (user === undefined || open?.request_id !== request_id || open.expires_at <= now) return;
  if (user.email_proven_at === null || user.email === null) return;
  await sendByMail(trx, request_id, deps.identityHash(user.email));
  await queueCodeMail(trx, deps, { user, request_id, now, purpose: 'recover' });
}

function queueCodeMail(
  trx: Trx,
  { product }: Pick<CodeDeps, 'product'>,
  {
    user,
    request_id,
    now,
    purpose,
  }: Pick<OneTimeCode, 'request_id' | 'purpose'> & {
    user: User;
    now: Date;
  },
): Promise<void> {
  const words = codeByMail(user, product, purpose);
  return mailUser(trx, user, { key: codeMailKey(request_id), ...words }, now);
}

export async function isOverLimit(
  trx: Trx,
  userId: string,
  wall: Date,
  fromKnown: boolean,
): Promise<boolean> {
  const since = new Date(wall.getTime() - dayMs);
  const { count, newest } = await countCodes(trx, userId, since, fromKnown);
  if (count >= codesADay) return true;
  return newest !== null && wall.getTime() - newest.getTime() < betweenCodesMs;
}

/**
 * Returns the channel for a code. It must be proven. A subscriber who has proven none gets it on the number that
 * agreed to texts, because the email may be a stranger's. Returns null if there is none.
 */
export async function channelOf(
  trx: Trx,
  deps: Pick<CodeDeps, 'identityHash'>,
  request: { user: User; now: Date; wall: Date; fromKnown: boolean },
): Promise<'text' | 'mail' | null> {
  const { user, now, wall, fromKnown } = request;
  const { phone } = user;
  const canMail = user.email_proven_at !== null;
  const fallback = canMail ? 'mail' : null;
  if (phone === null || user.opted_out || user.consent !== 'granted') return fallback;
  if (user.phone_proven_at === null && (canMail || !hasSubscribed(user))) return fallback;
  if (canMail && (await isYoungNumber(trx, user, now))) return 'mail';
  if (fromKnown && user.phone_proven_at !== null) return 'text';
  // A text costs money and may reach someone who didn't request it, so its limit outlives the account.
  const call = { address: phone, user, call: 'code' as const, fromKnown };
  return (await admitAddressCall(trx, deps, call, wall)) ? 'text' : fallback;
}

/** Returns whether the number was changed recently, perhaps by someone else. */
async function isYoungNumber(trx: Trx, user: User, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - youngNumberMs);
  // A pending change has not replaced the number.
  const { phone_proven_at } = user;
  if (phone_proven_at === null || phone_proven_at < since) return false;
  return (await countPhoneChanges(trx, user.id, since, phone_proven_at)) > 0;
}
