// `npm run secrets -- FOLDER`: writes the Secrets of an installation, one folder each, one file per key. A second run
// keeps existing secrets, adds missing ones and updates the addresses. See deploy/README.md, Secrets.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { explainFailure, LauncherError } from '../local/failure.ts';
import { repoRoot } from '../local/layout.ts';
import { readOptions } from '../local/read-options.ts';
import { loadSecrets } from '../local/secrets.ts';
import { type ProviderKeys, providerKeys, sandboxKeys, secretFiles } from './secret-files.ts';

/** Live keys come from the environment, which doesn't show up in process lists or shell history. */
function liveKeys(): ProviderKeys {
  const missing = providerKeys.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new LauncherError(
      `--live reads the providers' keys from the environment. Set ${missing.join(', ')}.`,
    );
  return Object.fromEntries(providerKeys.map((name) => [name, process.env[name]])) as ProviderKeys;
}

function write(): void {
  const options = {
    live: { type: 'boolean', default: false },
    // As named in compose and k8s/components.
    postgres: { type: 'string', default: 'postgres:5432' },
    redis: { type: 'string', default: 'redis://redis:6379' },
    nats: { type: 'string', default: 'nats://nats:4222' },
    smtp: { type: 'string', default: 'smtp://sandbox:1025' },
  } as const;
  const { values, positionals } = readOptions(options, { allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined) throw new LauncherError('Name a folder: npm run secrets -- .secrets');
  const root = resolve(repoRoot, folder);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const secrets = loadSecrets(join(root, 'all.json'), {});
  const files = secretFiles(secrets, values, values.live ? liveKeys() : sandboxKeys(secrets));
  // Sandbox keys must not be stored next to live keys.
  if (values.live) {
    delete files.sandbox;
    rmSync(join(root, 'sandbox'), { recursive: true, force: true });
  }
  for (const [name, entries] of Object.entries(files)) {
    for (const [key, value] of Object.entries(entries)) {
      const path = join(root, name, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, value);
      // Containers read them as another user; only the owner can access the parent folder.
      chmodSync(path, 0o644);
    }
  }
  console.log(
    `${Object.keys(files).join(', ')}: the keys are in ${root}. Keep it: they can't be generated again.`,
  );
}

try {
  write();
} catch (error) {
  console.error(explainFailure(error, repoRoot));
  process.exitCode = 1;
}
