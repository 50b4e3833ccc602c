import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { ContactRequest, SupportRequest } from '@daylift/contracts/accounts.http';
import { clientNetwork } from '@daylift/server/client-network';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { TooManyLetters } from '../errors.ts';
import { canonicalEmail } from '../users/email-address.ts';
import { admitCall } from '../users/limited-calls.repository.ts';
import { type Session, signedIn } from '../users/users.actions.ts';
import { lockUser } from '../users/users.repository.ts';
import { readMessage, readSenderName, readSubject } from './letter-input.ts';
import { mailLetter } from './letter-mail.ts';
import {
  countLettersOfVisitor,
  insertConversation,
  insertLetter,
  lockSenders,
} from './letters.repository.ts';
import type { Letter } from './letters.table.ts';

/** A form states the sender's name. */
type FormLetter = Letter & { name: string };

const limit = { atMost: 5, withinMs: hourMs };

/** Sends a subscriber's message with the known name and address. */
export async function writeToSupport(
  deps: AccountsDeps,
  session: Session,
  request: SupportRequest,
): Promise<void> {
  const now = deps.clock.now();
  const words = { subject: readSubject(request.subject), message: readMessage(request.message) };
  await deps.db.transaction().execute(async (trx) => {
    const user = signedIn(await lockUser(trx, session.user_id), session);
    const call = { user_id: user.id, call: 'letter' as const };
    if (!(await admitCall(trx, call, { ...limit, now }))) throw new TooManyLetters();
    const { name, email } = user;
    const letter = {
      ...words,
      id: randomUUID(),
      kind: 'support' as const,
      user_id: user.id,
      name,
      email,
      address_hash: null,
      inbound_id: null,
      created_at: now,
    };
    await deliver(trx, deps, letter, email === null ? user.phone : null);
  });
}

/** Sends a visitor's message, whose address is unproven. */
export async function writeAsVisitor(
  deps: AccountsDeps,
  request: ContactRequest,
  ip: string,
): Promise<void> {
  const now = deps.clock.now();
  const address_hash = deps.identityHash(clientNetwork(ip));
  const letter = {
    id: randomUUID(),
    kind: 'contact' as const,
    user_id: null,
    name: readSenderName(request.name),
    email: canonicalEmail(request.email),
    subject: readSubject(request.subject),
    message: readMessage(request.message),
    address_hash,
    inbound_id: null,
    created_at: now,
  };
  await deps.db.transaction().execute(async (trx) => {
    await refuseFlood(trx, letter, address_hash, now);
    await deliver(trx, deps, letter);
  });
}

async function refuseFlood(
  trx: Transaction<AccountsDatabase>,
  { email }: { email: string },
  address_hash: string,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - limit.withinMs);
  await lockSenders(trx, [email, address_hash]);
  for (const sender of [{ email }, { address_hash }])
    if ((await countLettersOfVisitor(trx, sender, since)) >= limit.atMost)
      throw new TooManyLetters();
}

/** A form starts its own conversation. */
async function deliver(
  trx: Transaction<AccountsDatabase>,
  deps: AccountsDeps,
  form: Omit<FormLetter, 'conversation_id'>,
  phone: string | null = null,
): Promise<void> {
  const { id, kind, user_id, name, email, subject, created_at } = form;
  await insertConversation(trx, {
    ...{ id, kind, user_id, name, email, subject },
    phone,
    by_text: false,
    last_at: created_at,
  });
  const letter = { ...form, conversation_id: id };
  await insertLetter(trx, letter);
  await mailLetter(trx, deps, letter);
}
