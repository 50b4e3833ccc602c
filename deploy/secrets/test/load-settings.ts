import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAccountsConfig } from '../../../services/accounts/src/config.ts';
import { loadBillingConfig } from '../../../services/billing/src/config.ts';
import { loadContentConfig } from '../../../services/content/src/config.ts';
import { loadGatewayConfig } from '../../../services/gateway/src/config.ts';
import { readConfig } from '../../../services/sandbox/src/config.ts';
import { loadSchedulerConfig } from '../../../services/scheduler/src/config.ts';
import { loadSmsConfig } from '../../../services/sms-gateway/src/config.ts';
import type { ProcessName } from '../../local/processes.ts';
import { loadSecrets, type Secrets } from '../../local/secrets.ts';
import type { ProviderKeys } from '../secret-files.ts';

/** The code with which each process reads its settings. */
const loaders: Record<ProcessName, () => Readonly<Record<string, unknown>>> = {
  gateway: loadGatewayConfig,
  accounts: loadAccountsConfig,
  billing: loadBillingConfig,
  content: loadContentConfig,
  scheduler: loadSchedulerConfig,
  'sms-gateway': loadSmsConfig,
  'sms-worker': loadSmsConfig,
  sandbox: readConfig,
};

/** Set in deploy/docker/gateway.Dockerfile. */
const ofImage = { WEB_DIST: '/app/web/dist', ADMIN_WEB_DIST: '/app/admin-web/dist' };

/** Loads a process's settings from this environment; throws its startup error. `files` are the files of its Secret. */
export function loadSettings(
  name: ProcessName,
  environment: Record<string, string>,
  files: Record<string, string>,
): Readonly<Record<string, unknown>> {
  const before = process.env;
  process.env = Object.fromEntries(
    Object.entries({ ...ofImage, ...environment }).map(([key, value]) => {
      if (!key.endsWith('_FILE')) return [key, value];
      const file = value.replace('/run/secrets/daylift/', '');
      const content = files[file];
      if (content === undefined) throw new Error(`${name} reads an unknown file ${value}`);
      return [key.replace(/_FILE$/, ''), content];
    }),
  );
  try {
    return loaders[name]();
  } finally {
    process.env = before;
  }
}

export function newSecrets(): Secrets {
  const folder = mkdtempSync(join(tmpdir(), 'daylift-secrets-'));
  try {
    return loadSecrets(join(folder, 'all.json'), {});
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Shaped like live keys, but invalid. Assembled from parts, so secret scanners don't report them. */
export const likeLiveKeys = (secrets: Secrets): ProviderKeys => ({
  STRIPE_API_KEY: `sk_${'live'}_0123456789`,
  STRIPE_WEBHOOK_SECRET: `wh${'sec'}_0123456789`,
  TELNYX_API_KEY: `KEY${'0123456789ABCDEF'}_x`,
  TELNYX_PUBLIC_KEY: secrets.telnyx_public_key,
});
