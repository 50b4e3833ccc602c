// `npm run secrets -- FOLDER`: what the Secrets of an installation are made of, one folder for each, one file for each key.
// Made once and kept: a second run adds what is missing and writes the addresses anew. See deploy/README.md, Secrets.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { explainFailure, LauncherError } from '../local/failure.ts';
import { repoRoot } from '../local/layout.ts';
import { loadSecrets } from '../local/secrets.ts';
import { type ProviderKeys, providerKeys, sandboxKeys, secretFiles } from './secret-files.ts';

/** Live keys come by the environment, which no list of processes and no shell history shows. */
function liveKeys(): ProviderKeys {
  const missing = providerKeys.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new LauncherError(
      `--live takes the providers' keys from the environment: set ${missing.join(', ')}.`,
    );
  return Object.fromEntries(providerKeys.map((name) => [name, process.env[name]])) as ProviderKeys;
}

function write(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      live: { type: 'boolean', default: false },
      // As compose and k8s/components name them.
      postgres: { type: 'string', default: 'postgres:5432' },
      redis: { type: 'string', default: 'redis://redis:6379' },
      nats: { type: 'string', default: 'nats://nats:4222' },
      smtp: { type: 'string', default: 'smtp://sandbox:1025' },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new LauncherError('Where to? npm run secrets -- .secrets');
  const root = resolve(repoRoot, folder);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const secrets = loadSecrets(join(root, 'all.json'), {});
  const files = secretFiles(secrets, values, values.live ? liveKeys() : sandboxKeys(secrets));
  // What a live installation has no use for must not lie around beside its keys.
  if (values.live) {
    delete files.sandbox;
    rmSync(join(root, 'sandbox'), { recursive: true, force: true });
  }
  for (const [name, entries] of Object.entries(files)) {
    for (const [key, value] of Object.entries(entries)) {
      const path = join(root, name, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, value);
      // Containers read them as another user; the folder above lets only its owner in.
      chmodSync(path, 0o644);
    }
  }
  console.log(
    `${Object.keys(files).join(', ')}: their keys are in ${root}. Keep it: nothing can make the same again.`,
  );
}

try {
  write();
} catch (error) {
  console.error(explainFailure(error, repoRoot));
  process.exitCode = 1;
}
