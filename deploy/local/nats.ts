import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessSpec } from './supervised-process.ts';

export function prepareNats(options: {
  program: string;
  folder: string;
  port: number;
  monitorPort: number;
  /** Without accounts, any local user has full access; for tests of single services. */
  accounts?: string | undefined;
}): ProcessSpec {
  const configPath = join(options.folder, 'nats.conf');
  const config = [
    'server_name: daylift',
    'host: 127.0.0.1',
    `port: ${options.port}`,
    `http: "127.0.0.1:${options.monitorPort}"`,
    'max_payload: 1MB',
    `jetstream { store_dir: ${JSON.stringify(jetstreamFolder(options.folder))}, max_memory_store: 64MB, max_file_store: 4GB }`,
  ];
  writeFileSync(configPath, `${config.join('\n')}\n${options.accounts ?? ''}`, {
    mode: 0o600,
  });
  return {
    name: 'nats',
    command: options.program,
    args: ['-c', configPath],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', GOMEMLIMIT: '96MiB' },
    cwd: options.folder,
    port: options.port,
  };
}

export const jetstreamFolder = (folder: string): string => join(folder, 'jetstream');

/** Returns whether NATS and JetStream are up. JetStream opens its files after the port responds. */
export async function isNatsUp(monitorPort: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${monitorPort}/healthz`, {
      signal: AbortSignal.timeout(1000),
    });
    return response.ok;
  } catch {
    return false;
  }
}
