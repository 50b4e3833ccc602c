import { join } from 'node:path';
import { distOf } from './builds.ts';
import { databaseUrl, schemaOfService } from './databases.ts';
import { compiledDir, type DataLayout, repoRoot } from './layout.ts';
import { natsUrlOf } from './nats-logins.ts';
import { identitySettings, type Secrets } from './secrets.ts';
import type { Servers } from './servers.ts';
import type { ProcessSpec } from './supervised-process.ts';

/** In start order. All serve HTTP, including the worker. */
export const processNames = [
  'sandbox',
  'accounts',
  'billing',
  'content',
  'scheduler',
  'sms-gateway',
  'sms-worker',
  'gateway',
] as const;
export type ProcessName = (typeof processNames)[number];

export interface StackPorts {
  http: Record<ProcessName, number>;
  /** Ports of probes and metrics; the sandbox serves them on its only port. */
  ops: Record<ProcessName, number>;
  smtp: number;
}

interface TableInput {
  ports: StackPorts;
  secrets: Secrets;
  servers: Servers;
  layout: DataLayout;
  /** Folder of the bundled services. */
  servicesDir: string;
  admin: { username: string; password: string };
  /** Environment overrides for every process. */
  overrides: Record<string, string>;
  fast?: boolean;
}

/** Environment variables that `npm start` passes on; all others are dropped. */
export const tunables = [
  'ALLOWED_COUNTRIES',
  'ALLOWED_HOSTS',
  'ALLOWED_ORIGINS',
  'CLOCK_START',
  'COMPANY_NAME',
  'LOG_LEVEL',
  'MAIL_FROM',
  'NATS_REPLICAS',
  'NATS_STREAM_MAX_BYTES',
  'OPERATOR_MAX_CENTS',
  'OPERATOR_MAX_FREE_DAYS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER_ARG',
  'PLAN_CATALOGUE',
  'PLAN_PRICES',
  'COUNTRY_CURRENCIES',
  'STRIPE_TAX',
  'PRODUCT_NAME',
  'PROVIDER_TIMEOUT_MS',
  'RATE_LIMITS',
  'REFUND_ENDS_ACCESS',
  'REFUND_POLICY',
  'RETENTION_MONTHS',
  'SEND_CONCURRENCY',
  'SEND_LEASE_MS',
  'SEND_SPREAD_SECONDS',
  'SMS_BATCH_SIZE',
  'SMS_CANARY_ABOVE',
  'SMS_FROM',
  'SMS_PRICE_PER_PART',
  'SMS_RATE_PER_SECOND',
  'SMS_UNPAID_PREFIX_CAPS',
  'STOP_ENDS_RENEWAL',
  'SUPPORT_EMAIL',
  'TELNYX_DAILY_SPEND_LIMIT',
  'TELNYX_IDEMPOTENCY',
  'TELNYX_MESSAGING_PROFILE_ID',
  'TERMS_EFFECTIVE_DATE',
];
/** Set by the launcher only. */
const reserved = ['PORT', 'OPS_PORT', 'HOST', 'DATABASE_URL', 'SMTP_PORT', 'DATA_DIR'];

/**
 * Eight processes share one machine: small heaps, early minor collections, slow growth. With half the space for new
 * objects, collections take twice the CPU time. The worker and the sandbox, which make most of them, get four times as
 * much.
 */
export const nodeFlagsOf = (name: ProcessName): string[] => [
  '--max-old-space-size=160',
  `--max-semi-space-size=${name === 'sms-worker' || name === 'sandbox' ? 16 : 4}`,
  '--heap-growing-percent=20',
];
/** For tests: they have enough memory, and collecting garbage early takes a sixth of the CPU time. */
const fastNodeFlags = ['--max-old-space-size=256', '--max-semi-space-size=16'];

export const entryOf = (name: ProcessName): string =>
  name === 'sms-worker' ? 'services/sms-gateway/src/worker.ts' : `services/${name}/src/main.ts`;

const local = (port: number): string => `http://127.0.0.1:${port}`;

export const publicUrl = (ports: StackPorts): string => `http://localhost:${ports.http.gateway}`;

function systemEnv(): Record<string, string> {
  const passed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_V8_COVERAGE'];
  const given = passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return {
    ...Object.fromEntries(given),
    TZ: 'UTC',
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: compiledDir,
    // By default, glibc keeps freed memory: a pool per thread, and large blocks (20 MB in a process that hashes
    // passwords).
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_MMAP_THRESHOLD_: '131072',
  };
}

function commonEnv({ ports, servers }: TableInput): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    REDIS_URL: servers.redisUrl,
    SANDBOX_URL: local(ports.http.sandbox),
    PUBLIC_URL: publicUrl(ports),
    ACCOUNTS_URL: local(ports.http.accounts),
    BILLING_URL: local(ports.http.billing),
    CONTENT_URL: local(ports.http.content),
    SCHEDULER_URL: local(ports.http.scheduler),
    SMS_GATEWAY_URL: local(ports.http['sms-gateway']),
    PRODUCT_NAME: 'Daylift',
    SUPPORT_EMAIL: 'support@daylift.example',
    COMPANY_NAME: 'Daylift Example, Inc.',
    TERMS_EFFECTIVE_DATE: '2026-11-24',
    REFUND_POLICY:
      "If you're unhappy with a charge, write to us within 14 days and we'll refund it in full.",
    MAIL_FROM: 'Daylift <hello@daylift.example>',
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
  };
}

const smsFrom = '+18885550123';

function telnyxEnv({ secrets }: TableInput): Record<string, string> {
  return {
    TELNYX_API_KEY: secrets.telnyx_api_key,
    TELNYX_PUBLIC_KEY: secrets.telnyx_public_key,
    NUMBER_HASH_KEY: secrets.number_hash_key,
    ONE_TIME_CODE_KEY: secrets.one_time_code_key,
    SMS_FROM: smsFrom,
  };
}

function sandboxEnv({ ports, secrets, layout }: TableInput): Record<string, string> {
  // By IP address, because the sandbox calls as soon as the gateway is up, whatever `localhost` resolves to.
  const webhooks = `${local(ports.http.gateway)}/api/webhooks`;
  return {
    SMTP_PORT: String(ports.smtp),
    DATA_DIR: layout.sandbox,
    STRIPE_API_KEY: secrets.stripe_api_key,
    STRIPE_WEBHOOK_SECRET: secrets.stripe_webhook_secret,
    STRIPE_WEBHOOK_URL: `${webhooks}/stripe`,
    TELNYX_API_KEY: secrets.telnyx_api_key,
    TELNYX_PRIVATE_KEY: secrets.telnyx_private_key,
    TELNYX_WEBHOOK_URL: `${webhooks}/telnyx/inbound`,
    SMS_FROM: smsFrom,
  };
}

/** Returns a process's own variables, in addition to the shared ones. */
function ownEnv(name: ProcessName, input: TableInput): Record<string, string> {
  const { secrets, ports } = input;
  switch (name) {
    case 'sandbox':
      return sandboxEnv(input);
    case 'accounts':
      return {
        JWT_PRIVATE_KEY: secrets.jwt_private_key,
        IDENTITY_HASH_KEY: secrets.identity_hash_key,
        ONE_TIME_CODE_KEY: secrets.one_time_code_key,
        ADMIN_SECRET_KEY: secrets.admin_secret_key,
        ADMIN_USERNAME: input.admin.username,
        ADMIN_PASSWORD: input.admin.password,
      };
    case 'billing':
      return {
        STRIPE_API_KEY: secrets.stripe_api_key,
        STRIPE_WEBHOOK_SECRET: secrets.stripe_webhook_secret,
        ALLOWED_ORIGINS: `${publicUrl(ports)},${local(ports.http.gateway)}`,
      };
    case 'sms-gateway':
    case 'sms-worker':
      return telnyxEnv(input);
    case 'gateway':
      return {
        JWT_PUBLIC_KEY: secrets.jwt_public_key,
        SMS_WORKER_URL: local(ports.http['sms-worker']),
        WEB_DIST: distOf('web'),
        ADMIN_WEB_DIST: distOf('admin-web'),
      };
    default:
      return {};
  }
}

const serviceOf = (name: ProcessName): string => (name === 'sms-worker' ? 'sms-gateway' : name);

/** Your own NATS servers are used with the login in their URL. */
function natsEnv(name: ProcessName, { servers, secrets }: TableInput): Record<string, string> {
  const { natsUrl, hasNatsLogins } = servers;
  return {
    NATS_URL: hasNatsLogins ? natsUrlOf(natsUrl, secrets.nats_passwords, serviceOf(name)) : natsUrl,
  };
}

function databaseEnv(name: ProcessName, { servers, secrets }: TableInput): Record<string, string> {
  const schema = schemaOfService[serviceOf(name)];
  return schema ? { DATABASE_URL: databaseUrl(servers.databaseAdminUrl, schema, secrets) } : {};
}

export function describeProcesses(input: TableInput): ProcessSpec[] {
  const overrides = Object.entries(input.overrides).filter(([name]) => !reserved.includes(name));
  return processNames.map((name) => {
    const opsPort = name === 'sandbox' ? input.ports.http.sandbox : input.ports.ops[name];
    return {
      name,
      command: process.execPath,
      args: [
        ...(input.fast ? fastNodeFlags : nodeFlagsOf(name)),
        join(input.servicesDir, `${name}.mjs`),
      ],
      cwd: repoRoot,
      port: input.ports.http[name],
      opsPort,
      // Every process stops at the same time, so no client needs time to disconnect.
      stopSignal: 'SIGINT' as const,
      env: {
        ...systemEnv(),
        ...commonEnv(input),
        ...databaseEnv(name, input),
        ...natsEnv(name, input),
        ...(name !== 'sandbox' && identitySettings(input.secrets, serviceOf(name))),
        ...ownEnv(name, input),
        ...Object.fromEntries(overrides),
        PORT: String(input.ports.http[name]),
        OPS_PORT: String(opsPort),
      },
    };
  });
}
