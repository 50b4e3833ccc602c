import { createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSecrets } from './secrets.ts';
import { temporaryFolder } from './test/temporary-folder.ts';

test('secrets are generated once, kept, and readable only by their owner', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const first = loadSecrets(path, {});
  expect(loadSecrets(path, {})).toEqual(first);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('two data directories share no secret', () => {
  const values = (): string[] => {
    const secrets = loadSecrets(join(temporaryFolder(), 'secrets.json'), {});
    const {
      admin_username: _same,
      role_passwords,
      nats_passwords,
      identity_keys,
      ...rest
    } = secrets;
    const keys = Object.values(identity_keys).flatMap((pair) => Object.values(pair));
    const passwords = [...Object.values(role_passwords), ...Object.values(nats_passwords)];
    return [...Object.values(rest), ...passwords, ...keys];
  };
  const all = [...values(), ...values()];
  expect(new Set(all).size).toBe(all.length);
});

test("keys have the providers' formats", () => {
  const secrets = loadSecrets(join(temporaryFolder(), 'secrets.json'), {});
  expect(secrets.stripe_api_key).toMatch(/^sk_test_/);
  expect(secrets.stripe_webhook_secret).toMatch(/^whsec_/);
  expect(secrets.telnyx_api_key).toMatch(/^KEYSANDBOX/);
  const raw = Buffer.from(secrets.telnyx_public_key, 'base64');
  expect(raw).toHaveLength(32);
  const x = raw.toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = Buffer.from('signed');
  expect(verify(null, text, key, sign(null, text, secrets.telnyx_private_key))).toBe(true);
});

test('the first owner comes from the environment', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const secrets = loadSecrets(path, { username: 'ada', password: 'a-long-password-1' });
  expect(secrets.admin_username).toBe('ada');
  expect(secrets.admin_password).toBe('a-long-password-1');
});

test('a damaged secrets file is named and kept', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  writeFileSync(path, '{"postgres');
  expect(() => loadSecrets(path, {})).toThrow(/secrets\.json is damaged.*--fresh/);
  expect(readFileSync(path, 'utf8')).toBe('{"postgres');
});

test('secrets added by an update are generated', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const { identity_hash_key: _new, ...old } = loadSecrets(path, {});
  writeFileSync(path, JSON.stringify(old));
  const updated = loadSecrets(path, {});
  expect(updated).toMatchObject(old);
  expect(updated.identity_hash_key).toMatch(/.{32}/);
  expect(loadSecrets(path, {})).toEqual(updated);
});
