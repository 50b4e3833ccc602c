import { dayMs } from '@daylift/clock/durations';
import { lockKey } from '@daylift/database/advisory-locks';
import type { Cleanup } from '@daylift/database/cleanup';
import type { AccountsDatabase, Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { mailboxOf } from './email-address.ts';
import { hasSubscribed } from './users.actions.ts';
import type { AddressCallsTable, User } from './users.table.ts';

const atMostADay = 3;
const atMostOfClientADay = 6;
/**
 * Limits shared by all accounts that haven't proven the address. Spellings of one mailbox count as one. Confirmations
 * allow for several clients, so a stranger on one can't use up the owner's.
 */
const atMostOfAddressADay = { confirmation: 20, code: 6 };

/** Serializes claims and proofs of one address. Taken before any user's row. */
export async function lockAddress(trx: Trx, address: string): Promise<void> {
  await lockKey(trx, `address:${address}`);
}

/**
 * Counts a message that an account has sent to an address, which may be a stranger's. Returns false once the account, the
 * client's network or the address has reached its daily limit. An account that has
 * proven the address, or has paid and is confirming it, has only its own limit, so strangers can't use up its messages.
 * For the same reason, the account's known clients have a separate limit.
 */
export async function admitAddressCall(
  trx: Trx,
  { identityHash }: Pick<AccountsDeps, 'identityHash'>,
  request: {
    address: string;
    user: User;
    call: AddressCallsTable['call'];
    clientHash?: string | null;
    fromKnown?: boolean;
  },
  wall: Date,
): Promise<boolean> {
  const { call, address, user, clientHash = null, fromKnown = false } = request;
  const one = {
    address_hash: identityHash(mailboxOf(address)),
    caller_hash: identityHash(fromKnown ? `${user.id}:known` : user.id),
    client_hash: clientHash,
    call,
  };
  await lockAddress(trx, `${one.call}:${one.address_hash}`);
  const { total, own, ofClient } = await trx
    .selectFrom('address_calls')
    .select((select) => [
      select.fn.countAll<number>().as('total'),
      select.fn.countAll<number>().filterWhere('caller_hash', '=', one.caller_hash).as('own'),
      select.fn.countAll<number>().filterWhere('client_hash', '=', clientHash).as('ofClient'),
    ])
    .where('address_hash', '=', one.address_hash)
    .where('call', '=', one.call)
    .where('called_at', '>', new Date(wall.getTime() - dayMs))
    .executeTakeFirstOrThrow();
  const isFull = total >= atMostOfAddressADay[call] || ofClient >= atMostOfClientADay;
  const isHolder = hasProven(user, address) || (call === 'confirmation' && hasSubscribed(user));
  if (own >= atMostADay || (isFull && !isHolder)) return false;
  await trx
    .insertInto('address_calls')
    .values({ ...one, called_at: wall })
    .execute();
  return true;
}

const hasProven = (user: User, address: string): boolean =>
  (user.email === address && user.email_proven_at !== null) ||
  (user.phone === address && user.phone_proven_at !== null);

/** Calls older than a day don't count toward any limit. */
export const oldAddressCalls: Cleanup<AccountsDatabase> = {
  table: 'address_calls',
  column: 'called_at',
  keptMs: dayMs,
  onWallClock: true,
};
