import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { ContactRequest, SupportRequest } from '@daylift/contracts/accounts.http';
import { readCrisis } from '@daylift/delivery/crisis';
import { clientNetwork } from '@daylift/server/client-network';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { TooManyMessages } from '../errors.ts';
import { canonicalEmail } from '../users/email-address.ts';
import { admitCall } from '../users/limited-calls.repository.ts';
import { type Session, signedIn } from '../users/users.actions.ts';
import { lockUser } from '../users/users.repository.ts';
import type { SupportMessage } from './inbox.table.ts';
import { readMessage, readSenderName, readSubject } from './message-input.ts';
import { mailSupportMessage } from './message-mail.ts';
import {
  countMessagesOfVisitor,
  insertConversation,
  insertMessage,
  lockSenders,
} from './messages.repository.ts';

/** A form states the sender's name. */
type FormMessage = SupportMessage & { name: string };

const limit = { atMost: 5, withinMs: hourMs };

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
    if (!(await admitCall(trx, call, { ...limit, now }))) throw new TooManyMessages();
    const { name, email } = user;
    const supportMessage = {
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
    await deliver(trx, deps, supportMessage, email === null ? user.phone : null);
  });
}

export async function writeAsVisitor(
  deps: AccountsDeps,
  request: ContactRequest,
  ip: string,
): Promise<void> {
  const now = deps.clock.now();
  const address_hash = deps.identityHash(clientNetwork(ip));
  const supportMessage = {
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
    await rejectFlood(trx, supportMessage, address_hash, now);
    await deliver(trx, deps, supportMessage);
  });
}

async function rejectFlood(
  trx: Trx,
  { email }: { email: string },
  address_hash: string,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - limit.withinMs);
  await lockSenders(trx, [email, address_hash]);
  for (const sender of [{ email }, { address_hash }])
    if ((await countMessagesOfVisitor(trx, sender, since)) >= limit.atMost)
      throw new TooManyMessages();
}

/** A form starts its own conversation. */
async function deliver(
  trx: Trx,
  deps: AccountsDeps,
  form: Omit<FormMessage, 'conversation_id'>,
  phone: string | null = null,
): Promise<void> {
  const { id, kind, user_id, name, email, subject, created_at } = form;
  await insertConversation(trx, {
    ...{ id, kind, user_id, name, email, subject },
    phone,
    in_distress: readCrisis(form.message).is_crisis,
    by_text: false,
    last_at: created_at,
  });
  const supportMessage = { ...form, conversation_id: id };
  await insertMessage(trx, supportMessage);
  await mailSupportMessage(trx, deps, supportMessage);
}
