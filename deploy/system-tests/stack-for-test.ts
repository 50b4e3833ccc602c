import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseFreePorts } from '../local/ports.ts';
import { copyPreparedData } from '../local/prepared-data.ts';
import { type StackOptions, startStack } from '../local/stack.ts';
import { chooseTestFolder } from '../local/test-folder.ts';
import { createProductClient } from './product-client.ts';

export async function startTestStack(
  env: Record<string, string> = {},
  servicePorts: NonNullable<StackOptions['servicePorts']> = {},
) {
  const dataDir = await mkdtemp(join(chooseTestFolder(), 'daylift-test-'));
  const prepared = await copyPreparedData(dataDir);
  const [gatewayPort = 0, sandboxPort = 0] = await chooseFreePorts(2);
  const stack = await startStack({
    dataDir,
    gatewayPort,
    sandboxPort,
    servicePorts,
    fast: true,
    prepared,
    // A sign-in hashes several passwords, for 40 ms of CPU each by default.
    env: { RATE_LIMITS: 'off', PASSWORD_HASH_MEMORY: '64', ...env },
  });
  return {
    stack,
    product: createProductClient(stack.urls),
    stop: async () => {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestStack = Awaited<ReturnType<typeof startTestStack>>;
