import { generateKeyPairSync, randomInt, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Server } from '@daylift/server/create-server';
import { testIdentityKey } from '@daylift/testing/identity';
import { createSigner } from 'fast-jwt';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Redis } from 'ioredis';
import { buildApp } from '../src/app.ts';
import type { Access } from '../src/routes-table.ts';
import type { Service, UpstreamUrls } from '../src/upstreams.ts';
import { startUpstream, type UpstreamState } from './upstream.ts';

const services: Service[] = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'];

export interface Harness {
  app: Server;
  state: UpstreamState;
  upstreams: Record<Service, Server>;
  urls: UpstreamUrls;
  dists: { web: string; adminWeb: string };
  userToken(): { token: string; id: string };
  adminToken(role: AdminRole): { token: string; id: string };
  sign(claims: Record<string, unknown>, lifetimeMs?: number): string;
  call(options: InjectOptions & { token?: string }): Promise<LightMyRequestResponse>;
  /** Restarts a closed service at its address. */
  restart(service: Service): Promise<void>;
  close(): Promise<void>;
}

const keys = generateKeyPairSync('ed25519');
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();

export const anAddress = (): string =>
  `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

async function buildDists(): Promise<{ folder: string; web: string; adminWeb: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'daylift-gateway-'));
  const dists = { web: join(folder, 'web'), adminWeb: join(folder, 'admin-web') };
  for (const [name, dist] of Object.entries(dists)) {
    await mkdir(join(dist, 'assets'), { recursive: true });
    await writeFile(join(dist, 'index.html'), `<!doctype html><title>${name}</title>`);
    await writeFile(join(dist, 'assets', 'app-4f3a.js'), `// ${name}`);
    await writeFile(join(dist, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(dist, '.hidden.txt'), 'hidden');
  }
  await writeFile(join(folder, 'outside.txt'), 'outside');
  return { folder, ...dists };
}

/** The gateway, with small real servers as services. */
export async function createHarness(
  options: {
    redis?: Redis;
    adminUrl?: string;
    allowedHosts?: string[];
    /** Default true: requests without a host come in as localhost. */
    allowsLoopback?: boolean;
  } = {},
): Promise<Harness> {
  const state: UpstreamState = {
    seen: [],
    sessions: new Map(),
    endedTokens: new Set(),
    figures: new Map(),
    live: new Map(),
    failed: new Map(),
    resets: 0,
    sets: null,
  };
  const started = await Promise.all(
    services.map(async (name) => [name, await startUpstream(name, state)] as const),
  );
  const urls = Object.fromEntries(started.map(([name, one]) => [name, one.url])) as UpstreamUrls;
  const upstreams = Object.fromEntries(started.map(([name, one]) => [name, one.app])) as Record<
    Service,
    Server
  >;
  const { folder, ...dists } = await buildDists();
  const app = await buildApp({
    urls,
    identityKey: testIdentityKey('gateway'),
    jwtPublicKey: publicKey,
    redis: options.redis ?? null,
    dists,
    productName: 'Daylift',
    publicUrl: 'https://daylift.example',
    adminUrl: options.adminUrl,
    allowedHosts: options.allowedHosts ?? [],
    allowsLoopback: options.allowsLoopback ?? true,
    logLevel: 'silent',
    now: () => new Date(),
    live: { everyMs: 100, heartbeatMs: 400 },
  });
  const sign: Harness['sign'] = (claims, lifetimeMs = 60_000) =>
    createSigner({ key: privateKey, algorithm: 'EdDSA', expiresIn: lifetimeMs })(claims);
  return {
    app,
    state,
    upstreams,
    urls,
    dists,
    sign,
    userToken() {
      const id = randomUUID();
      state.sessions.set(`user:${id}:0`, {
        valid: true,
        role: null,
        username: null,
        totp_missing: false,
      });
      return { id, token: sign({ sub: id, aud: 'user', ver: 0, jti: randomUUID() }) };
    },
    adminToken(role) {
      const id = randomUUID();
      state.sessions.set(`admin:${id}:0`, {
        valid: true,
        role,
        username: `${role}-name`,
        totp_missing: false,
      });
      return { id, token: sign({ sub: id, aud: 'admin', ver: 0, jti: randomUUID() }) };
    },
    call: ({ token, headers, ...rest }) =>
      app.inject({
        ...rest,
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      }),
    async restart(service) {
      const port = Number(new URL(urls[service]).port);
      upstreams[service] = (await startUpstream(service, state, port)).app;
    },
    async close() {
      await app.close();
      await Promise.all(Object.values(upstreams).map((one) => one.close()));
      await rm(folder, { recursive: true });
    },
  };
}

export function tokenFor(harness: Harness, access: Access): string | undefined {
  if (access === 'public' || access === 'webhook') return undefined;
  return access === 'user' || access === 'visitor'
    ? harness.userToken().token
    : harness.adminToken(access === 'self' ? 'viewer' : access).token;
}
