import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { repoRoot } from '../local/layout.ts';
import { type ProcessName, processNames } from '../local/processes.ts';
import { sandboxKeys, secretFiles } from './secret-files.ts';
import { loadSettings, newSecrets } from './test/load-settings.ts';

interface Container {
  command?: string[];
  environment: Record<string, string>;
  volumes: string[];
  healthcheck?: unknown;
  read_only?: boolean;
  user?: string;
}
interface Login {
  user: string;
  password: string;
}
const file = readFileSync(join(repoRoot, 'docker-compose.yml'), 'utf8');
/** Interprets the compose file with these variables; unset ones use the default after `:-`. */
function compose(set: Record<string, string>): Record<string, Container> {
  const filled = file.replace(
    /\$\{(\w+):-([^}]*)\}/g,
    (_all, name: string, fallback: string) => set[name] ?? fallback,
  );
  return (parse(filled, { merge: true }) as { services: Record<string, Container> }).services;
}
const services = compose({});

const secrets = newSecrets();
const addresses = {
  postgres: 'postgres:5432',
  redis: 'redis://redis:6379',
  nats: 'nats://nats:4222',
  smtp: 'smtp://sandbox:1025',
};
const files = secretFiles(secrets, addresses, sandboxKeys(secrets));

/** Returns the folder of .secrets that a container mounts. */
const secretsOf = ({ volumes }: Container): string =>
  volumes.map((one) => /^\.\/\.secrets\/([a-z-]+):/.exec(one)?.[1]).find((one) => one) ?? '';

it.each(processNames)('compose gives %s all required settings', (name: ProcessName) => {
  const container = services[name];
  if (container === undefined) throw new Error(`compose has no ${name}`);
  const config = loadSettings(name, container.environment, files[secretsOf(container)] ?? {});
  expect(config).toMatchObject({ PORT: 8080, HOST: '0.0.0.0' });
  expect(container.read_only).toBe(true);
  expect(container.healthcheck).toBeDefined();
});

it('compose passes trace settings to every process', () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=abc',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  };
  const containers = compose(settings);
  for (const name of processNames.filter((one) => one !== 'sandbox'))
    expect(containers[name]?.environment, name).toMatchObject(settings);
});

it('compose migrates every schema', () => {
  const migrated = Object.entries(services).filter(([name]) => name.startsWith('migrate-'));
  expect(migrated.map(([, container]) => container.command?.[0])).toEqual(
    ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'].map(
      (service) => `services/${service}/src/migrate.ts`,
    ),
  );
  for (const [name, container] of migrated) {
    expect(name).toBe(`migrate-${secretsOf(container)}`);
    expect(files[secretsOf(container)]).toHaveProperty('DATABASE_URL');
  }
});

it('database URLs include the connection options', () => {
  const abroad = { ...addresses, postgres: 'db.example.com:5432?sslmode=verify-full' };
  const url = secretFiles(secrets, abroad, sandboxKeys(secrets)).content?.DATABASE_URL ?? '';
  const { username, host, pathname, search } = new URL(url);
  expect([username, host, pathname, search]).toEqual([
    'daylift_content',
    'db.example.com:5432',
    '/daylift',
    '?sslmode=verify-full',
  ]);
});

it('services share no database password', () => {
  const urls = Object.values(files).flatMap(({ DATABASE_URL }) => DATABASE_URL ?? []);
  expect(urls).toHaveLength(5);
  expect(new Set(urls.map((url) => new URL(url).password)).size).toBe(5);
});

it('each service has its own NATS account and exports only to named accounts', () => {
  const conf = files.nats?.['authorization.conf'] ?? '';
  const accounts = Object.entries<{ users: Login[]; exports: { accounts: string[] }[] }>(
    JSON.parse(conf.replace('accounts', '')),
  );
  const logins = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'].map((service) => {
    const { username, password } = new URL(files[service]?.NATS_URL ?? '');
    return [username, [{ user: username, password }]];
  });
  expect(accounts.map(([name, { users }]) => [name, users])).toMatchObject(logins);
  expect(new Set(accounts.map(([, { users }]) => users[0]?.password)).size).toBe(logins.length);
  const exported = accounts.flatMap(([, account]) => account.exports);
  // NATS reads an empty list as every account.
  expect(exported.filter((one) => one.accounts.length === 0)).toEqual([]);
  const own = { ...addresses, nats: 'tls://shared:word@nats.example:4222' };
  expect(secretFiles(secrets, own, sandboxKeys(secrets)).content?.NATS_URL).toBe(own.nats);
});
