import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { ProductClient } from './product-client.ts';

export type Role = 'viewer' | 'operator' | 'owner';

export interface TestAdmin {
  id: string;
  username: string;
  password: string;
  email: string;
  token: string;
}

interface Invitation {
  admin: { id: string };
  invitation_url: string;
}

/** Invites an admin with this role, who chooses a password and signs in. */
export async function anAdmin(
  product: ProductClient,
  owner: string,
  role: Role,
): Promise<TestAdmin> {
  const username = `${role}-${randomUUID().slice(0, 8)}`;
  const [password, email] = ['a bright new morning', `${username}@example.com`];
  const invited = await product.api<Invitation>(
    'POST',
    '/admin/admins',
    { username, email, role },
    owner,
  );
  if (invited.status !== 201) throw new Error(`invitation: ${JSON.stringify(invited)}`);
  const token = new URL(invited.body.invitation_url).hash.slice(1);
  await product.api('POST', '/admin/invitation', { token, password });
  const signedIn = await logIn(product, { username, password });
  return { id: invited.body.admin.id, username, password, email, token: signedIn };
}

export const logIn = (
  product: ProductClient,
  { username, password }: Pick<TestAdmin, 'username' | 'password'>,
): Promise<string> => product.adminLogin({ username, password });

/** Returns the code of an authenticator app, `steps` intervals of 30 s from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });
