import { randomUUID } from 'node:crypto';
import type { ContactRequest, SupportRequest } from '@daylift/contracts/accounts.http';
import { queueMail } from '@daylift/mail/mail';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { TooManyLetters } from '../errors.ts';
import { canonicalEmail } from '../users/email-address.ts';
import { admitCall } from '../users/limited-calls.repository.ts';
import { type Session, signedIn } from '../users/users.actions.ts';
import { lockUser } from '../users/users.repository.ts';
import { readMessage, readSenderName, readSubject } from './letter-input.ts';
import { countLettersOfVisitor, insertLetter, lockSenders } from './letters.repository.ts';
import type { Letter } from './letters.table.ts';

const limit = { atMost: 5, withinMs: 60 * 60 * 1000 };

/** A subscriber writes; their name and address are known. */
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
    await deliver(trx, deps, {
      ...words,
      id: randomUUID(),
      kind: 'support',
      user_id: user.id,
      name,
      email,
      address_hash: null,
      created_at: now,
    });
  });
}

/** Anybody writes; nobody knows whether the address is theirs. */
export async function writeAsVisitor(
  deps: AccountsDeps,
  request: ContactRequest,
  ip: string,
): Promise<void> {
  const now = deps.clock.now();
  const letter: Letter = {
    id: randomUUID(),
    kind: 'contact',
    user_id: null,
    name: readSenderName(request.name),
    email: canonicalEmail(request.email),
    subject: readSubject(request.subject),
    message: readMessage(request.message),
    address_hash: deps.identityHash(ip),
    created_at: now,
  };
  await deps.db.transaction().execute(async (trx) => {
    await refuseFlood(trx, letter, deps.identityHash(ip), now);
    await deliver(trx, deps, letter);
  });
}

async function refuseFlood(
  trx: Transaction<AccountsDatabase>,
  { email }: Letter,
  address_hash: string,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - limit.withinMs);
  await lockSenders(trx, [email, address_hash]);
  for (const sender of [{ email }, { address_hash }])
    if ((await countLettersOfVisitor(trx, sender, since)) >= limit.atMost)
      throw new TooManyLetters();
}

/** Into the inbox, and beside it a mail to whoever reads ours; an answer goes to the sender. */
async function deliver(
  trx: Transaction<AccountsDatabase>,
  { product }: AccountsDeps,
  letter: Letter,
): Promise<void> {
  await insertLetter(trx, letter);
  const from = letter.kind === 'support' ? 'a subscriber' : 'a visitor of the contact page';
  const head = [
    `From: ${letter.name} <${letter.email}>, ${from}`,
    `Subject: ${letter.subject}`,
  ].join('\n');
  await queueMail(
    trx,
    {
      key: letterMailKey(letter.id),
      to: product.supportEmail,
      replyTo: letter.email,
      subject: `[${letter.kind === 'support' ? 'Support' : 'Contact'}] ${letter.subject}`,
      text: `${head}\n\n${letter.message}`,
    },
    letter.created_at,
  );
}

export const letterMailKey = (letterId: string): string => `letter:${letterId}`;
