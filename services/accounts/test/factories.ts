import type { SignupRequest, SignupResponse } from '@daylift/contracts/accounts.http';
import type { AdminRole } from '@daylift/contracts/fields';
import { insertAdmin } from '../src/admins/admins.repository.ts';
import type { Admin } from '../src/admins/admins.table.ts';
import type { User, UserChange } from '../src/users/users.table.ts';
import type { Harness } from './harness.ts';

let next = 0;

export function aSignup(form: Partial<SignupRequest> = {}): SignupRequest {
  next += 1;
  return {
    name: 'Ada Lovelace',
    email: `ada${next}@example.com`,
    phone: `+1312555${String(next).padStart(4, '0')}`,
    password: 'correct horse',
    confirmPassword: 'correct horse',
    timezone: 'America/Chicago',
    delivery_time: '09:00',
    plan: 'monthly',
    sms_consent: true,
    ...form,
  };
}

export async function aUser(
  harness: Harness,
  form: Partial<SignupRequest> = {},
): Promise<SignupResponse> {
  const response = await harness.call({
    method: 'POST',
    url: '/subscriptions',
    body: aSignup(form),
  });
  if (response.statusCode !== 201) throw new Error(`signup responded with ${response.body}`);
  return response.json<SignupResponse>();
}

export async function aSubscriber(
  harness: Harness,
  form: Partial<SignupRequest> = {},
): Promise<SignupResponse> {
  const user = await aUser(harness, form);
  await setUser(harness, user.id, { subscription_version: 1, subscription_status: 'trial' });
  return user;
}

export const userRow = (harness: Harness, id: string): Promise<User> =>
  harness.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export async function anAdmin(
  harness: Harness,
  admin: { username: string; password: string; role?: AdminRole; email?: string },
): Promise<Admin> {
  const { deps } = harness;
  const password_hash = await deps.hashing.hash(admin.password);
  const { username, role = 'owner', email } = admin;
  const row = { username, password_hash, role, ...(email !== undefined && { email }) };
  const created = await insertAdmin(deps.db, row, deps.clock.now());
  if (created === undefined) throw new Error(`there is an admin called ${username}`);
  return created;
}

/** Sets columns that no subscriber's call can change. */
export async function setUser(harness: Harness, id: string, row: UserChange): Promise<void> {
  await harness.deps.db.updateTable('users').set(row).where('id', '=', id).execute();
}

export const codeOf = (response: { json(): unknown }): string =>
  (response.json() as { code: string }).code;

export async function linkTokens(harness: Harness, email: string): Promise<string[]> {
  const mails = await harness.deps.db
    .selectFrom('mails')
    .select('key')
    .where('to_address', '=', email)
    .where('key', 'like', 'contact-link:%')
    .orderBy('created_at')
    .execute();
  return mails.map(({ key }) =>
    harness.deps.adminSecrets.linkToken(key.slice('contact-link:'.length)),
  );
}

export async function confirmEmail(
  harness: Harness,
  email: string,
  decline = false,
  password?: string,
) {
  const token = (await linkTokens(harness, email)).at(-1) ?? 'none';
  const body = { token, decline, ...(password !== undefined && { password }) };
  return harness.call({ method: 'POST', url: '/users/confirm-email', body });
}

/** As if the number had replied YES. */
export const provenPhone = (): UserChange => ({
  phone_proven_at: new Date(),
  phone_proof: 'reply',
});

export const provenEmail = (): UserChange => ({
  email_proven_at: new Date(),
  email_proof: 'link',
});
