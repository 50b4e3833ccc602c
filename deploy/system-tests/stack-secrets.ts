import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IdentityIssuer, IdentityKey } from '@daylift/server/identity';
import type { Secrets } from '../local/secrets.ts';
import type { Stack } from '../local/stack.ts';

interface StackSecrets {
  jwt_private_key: string;
  stripe_api_key: string;
  identity_keys: Secrets['identity_keys'];
}

interface WithSecrets {
  layout: { secrets: string };
}

const secretsOf = (stack: WithSecrets): StackSecrets =>
  JSON.parse(readFileSync(stack.layout.secrets, 'utf8')) as StackSecrets;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export const stripeKeyOf = (stack: WithSecrets): string => secretsOf(stack).stripe_api_key;

/** Returns the signing key of a service in the running product. */
export const identityKeyOf = (
  stack: WithSecrets,
  issuer: IdentityIssuer = 'gateway',
): IdentityKey => ({ issuer, privateKey: secretsOf(stack).identity_keys[issuer].private });

/** Returns a token with these claims, signed with the product's key. */
export function signedToken(stack: WithSecrets, claims: Record<string, unknown>): string {
  const text = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(claims)}`;
  const key = createPrivateKey(secretsOf(stack).jwt_private_key.replaceAll('\\n', '\n'));
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}

export const unsignedToken = (claims: Record<string, unknown>): string =>
  `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;

export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

export interface Charge {
  id: string;
  amount: number;
  status: string;
}

/** Returns every charge of the only customer with this email from the provider. */
export async function chargesOf(stack: Stack, email: string): Promise<Charge[]> {
  const read = async <T>(path: string): Promise<T[]> => {
    const headers = { authorization: `Bearer ${stripeKeyOf(stack)}` };
    const response = await fetch(`${stack.urls.sandbox}${path}`, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: T[] }).data;
  };
  const customers = await read<{ id: string }>(`/v1/customers?email=${encodeURIComponent(email)}`);
  const charges = customers.map(({ id }) => read<Charge>(`/v1/charges?customer=${id}&limit=100`));
  return (await Promise.all(charges)).flat();
}
