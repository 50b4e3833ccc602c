import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Recipient } from '@daylift/contracts/accounts.events';
import type { EventEnvelope } from '@daylift/contracts/event';
import { createDatabase } from '@daylift/database/create-database';
import { type Handled, handleEvent } from '@daylift/events/handle-event';
import { type Identity, identityHeader } from '@daylift/server/identity';
import type { InternalClient } from '@daylift/server/internal-client';
import { createReadPhone } from '@daylift/server/phone-number';
import { createFixedClock, type FixedClock } from '@daylift/testing/fixed-clock';
import { signTestIdentity, testPublicKeys } from '@daylift/testing/identity';
import { publishedEvents } from '@daylift/testing/published';
import { createTestDatabase } from '@daylift/testing/test-database';
import type { LightMyRequestResponse } from 'fastify';
import { createAdminSecrets } from '../src/admins/admin-secrets.ts';
import { buildApp } from '../src/app.ts';
import { anchorOf, anchorType } from '../src/audit-log/anchors.ts';
import { consumers } from '../src/consumers.ts';
import type { AccountsDatabase } from '../src/database.ts';
import type { AccountsDeps } from '../src/deps.ts';
import { createPasswordHashing } from '../src/sessions/password-hashing.ts';
import { createIdentityHash } from '../src/users/identity-hash.ts';

const sign = signTestIdentity('accounts');
/** A Saturday morning in Chicago. */
export const testStart = '2027-03-06T15:00:00Z';

export const asUser = (user_id: string, session_version = 0): Identity => ({
  kind: 'user',
  user_id,
  session_version,
  token_id: randomUUID(),
});
export const asAdmin = (role: 'viewer' | 'operator' | 'owner' = 'viewer'): Identity => ({
  kind: 'admin',
  admin_id: randomUUID(),
  username: 'someone',
  role,
  session_version: 0,
  token_id: randomUUID(),
});
export const asService: Identity = { kind: 'service', name: 'gateway' };

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  as?: Identity;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Harness {
  deps: AccountsDeps;
  databaseUrl: string;
  clock: FixedClock;
  publicKey: string;
  call(call: Call): Promise<LightMyRequestResponse>;
  receive(type: string, data: unknown, id?: string): Promise<Handled>;
  /** Responses of other services to an export, by path. */
  parts: Record<keyof AccountsDeps['exportParts'], (path: string) => Promise<unknown>>;
  /** What sms-gateway was sent ahead of the events, oldest first. */
  applied: Recipient[];
  /** Returns queued mails to this address, oldest first, without links that prove or restore an address. */
  mails(email: string): Promise<{ key: string; subject: string; text: string }[]>;
  close(): Promise<void>;
}

export async function createHarness(): Promise<Harness> {
  const database = await createTestDatabase({
    schema: 'accounts',
    folder: join(import.meta.dirname, '../migrations'),
  });
  const db = createDatabase<AccountsDatabase>({
    url: database.url,
    name: 'accounts-test',
    onError: () => undefined,
  });
  const clock = createFixedClock(testStart);
  const keys = generateKeyPairSync('ed25519');
  const noData = async () => ({});
  const parts: Harness['parts'] = { billing: noData, scheduler: noData, smsGateway: noData };
  const clientOf = (part: keyof Harness['parts']): InternalClient => ({
    get: async <T>(path: string) => (await parts[part](path)) as T | null,
  });
  const applied: Recipient[] = [];
  const deps: AccountsDeps = {
    db,
    clock,
    // A sign-in verifies several hashes, and tests sign in thousands of times.
    hashing: await createPasswordHashing(64),
    jwtPrivateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    identityHash: createIdentityHash('a-key-for-tests-that-is-long-enough!'),
    readPhone: createReadPhone(['US', 'CA', 'GB', 'FR', 'DE', 'JP', 'CN', 'AU', 'MX']),
    codeKey: 'another-key-for-tests-that-is-long-enough',
    adminSecrets: createAdminSecrets('one-more-key-for-tests-that-is-long-enough'),
    operatorTimeZone: 'America/New_York',
    totpRequired: false,
    product: {
      name: 'Daylift',
      supportEmail: 'support@daylift.test',
      mailFrom: 'Daylift <hello@daylift.test>',
      publicUrl: 'https://daylift.test',
      adminUrl: 'https://admin.daylift.test',
    },
    readAnchor: async () => {
      const anchor = (await publishedEvents(db, anchorType)).at(-1);
      return anchor === undefined ? null : anchorOf(anchor);
    },
    applyRecipient: async (recipient) => void applied.push(recipient),
    exportParts: {
      billing: clientOf('billing'),
      scheduler: clientOf('scheduler'),
      smsGateway: clientOf('smsGateway'),
    },
  };
  const app = await buildApp(deps, {
    identityPublicKeys: testPublicKeys,
    logLevel: 'silent',
    readiness: { database: async () => undefined },
  });
  return {
    deps,
    databaseUrl: database.url,
    clock,
    parts,
    applied,
    publicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    call: ({ method = 'GET', url, as, body, headers = {} }) =>
      app.inject({
        method,
        url,
        headers: { ...(as && { [identityHeader]: sign(as) }), ...headers },
        ...(body !== undefined && { payload: body as object }),
      }),
    receive: (type, data, id = randomUUID()) => {
      const event: EventEnvelope = { id, type, occurred_at: clock.now().toISOString(), data };
      const taker = consumers(deps).find((one) => one.handlers[type] !== undefined);
      if (taker === undefined) throw new Error(`no consumer of ${type}`);
      return handleEvent(db, taker, event, clock.now());
    },
    mails: (email) =>
      db
        .selectFrom('mails')
        .select(['key', 'subject', 'text'])
        .where('to_address', '=', email)
        .where('key', 'not like', 'contact-link:%')
        .orderBy('created_at')
        .execute(),
    async close() {
      await app.close();
      await db.destroy();
      await database.drop();
    },
  };
}
