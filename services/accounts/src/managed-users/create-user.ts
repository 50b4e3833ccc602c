import { randomUUID } from 'node:crypto';
import type { CreateUserRequest, CreateUserResponse } from '@daylift/contracts/managed-users.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { rejectOwnAddress } from '../admins/own-addresses.ts';
import { recordConsent } from '../consents/consents.repository.ts';
import { staffWording } from '../consents/wording.ts';
import { isUniqueViolation } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { AlreadyCreated, SubscriberExists } from '../errors.ts';
import { mailConfirmation } from '../proofs/proofs.actions.ts';
import { defaultPasswordMs, defaultPasswordOf, hasLapsed } from '../sessions/default-passwords.ts';
import { lockAddress } from '../users/address-calls.repository.ts';
import { publishNewUser, readNewUser } from '../users/new-user.ts';
import { findUserByRequestKey, insertUser, isKnownToStaff } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { recordAdminAction } from './record-action.ts';

type Created = CreateUserResponse & { isNew: boolean };
type Form = ReturnType<typeof readNewUser>;

/**
 * Creates an account with a password that is shown to the admin and stored only as a hash. The same form sent twice,
 * concurrently or after a lost response, creates one account and gets one response.
 */
export async function createUser(
  deps: AccountsDeps,
  request: CreateUserRequest,
  by: ActingAdmin,
): Promise<Created> {
  const now = deps.clock.now();
  const { timezone = 'America/New_York', delivery_time = '09:00', ...rest } = request;
  const form = readNewUser(deps, { ...rest, timezone, delivery_time }, now);
  const request_key = request.request_key ?? randomUUID();
  const repeated = await findRepeatedRequest(deps, form, request_key, by);
  if (repeated !== null) return repeated;
  await rejectOwnAddress(deps, form.email);
  const default_password = passwordFor(deps, form, request_key);
  try {
    // Only saves the hashing: for concurrent forms the unique constraints decide.
    if (await isKnownToStaff(deps.db, form)) throw new SubscriberExists();
    const password_hash = await deps.hashing.hash(default_password);
    const user = await store(deps, { form, request_key, password_hash }, by, now);
    return { id: user.id, default_password, telnyx_sync: 'queued', isNew: true };
  } catch (error) {
    if (!isUniqueViolation(error) && !(error instanceof SubscriberExists)) throw error;
    const response = await findRepeatedRequest(deps, form, request_key, by);
    if (response === null) throw new SubscriberExists();
    return response;
  }
}

/** Depends on the person too, so a key reused for someone else gives another password. */
const passwordFor = (
  { identityHash }: AccountsDeps,
  { email, phone }: Pick<Form, 'email' | 'phone'>,
  requestKey: string,
): string => defaultPasswordOf(identityHash(`default-password:${requestKey}:${email}:${phone}`));

/** Returns the earlier response to this form, or null if it is new. */
async function findRepeatedRequest(
  deps: AccountsDeps,
  form: Form,
  requestKey: string,
  by: ActingAdmin,
): Promise<Created | null> {
  const user = await findUserByRequestKey(deps.db, requestKey);
  if (user === undefined) return null;
  const isSame =
    user.created_by === by.admin_id && user.email === form.email && user.phone === form.phone;
  const isUnused = user.password_expires_at !== null && !hasLapsed(user, deps.clock.now());
  if (!isSame || !isUnused) throw new AlreadyCreated();
  const default_password = passwordFor(deps, form, requestKey);
  return { id: user.id, default_password, telnyx_sync: 'not_required', isNew: false };
}

async function store(
  deps: AccountsDeps,
  created: { form: Form; request_key: string; password_hash: string },
  by: ActingAdmin,
  now: Date,
): Promise<User> {
  const { form, ...secrets } = created;
  return deps.db.transaction().execute(async (trx) => {
    for (const address of [form.email, form.phone].sort()) await lockAddress(trx, address);
    if (await isKnownToStaff(trx, form)) throw new SubscriberExists();
    const user = await insertUser(trx, {
      ...form,
      ...secrets,
      password_expires_at: new Date(now.getTime() + defaultPasswordMs),
      created_by: by.admin_id,
    });
    if (user.consent === 'granted') {
      await recordConsent(trx, user, {
        source: 'admin',
        wording_version: staffWording,
        given_at: now,
        phone_hash: deps.identityHash(form.phone),
        ip: null,
        user_agent: null,
        admin_id: by.admin_id,
      });
    }
    await publishNewUser(trx, deps, user, now);
    await mailConfirmation(trx, deps, user, { in_session: false, clientHash: null });
    const details = { plan: user.plan, consent: user.consent };
    await recordAdminAction(trx, by, { action: 'user.created', target: user.id, details }, now);
    return user;
  });
}
