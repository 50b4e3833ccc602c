import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const listedStatuses = fileURLToPath(
  new URL('libs/testing/src/listed-statuses.ts', import.meta.url),
);

const node = (name: string, root: string) => ({
  test: {
    name,
    root,
    include: ['**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

/** Services' answers are checked against the schemas that describe them. */
const withSetup = ({ test }: ReturnType<typeof node>) => ({
  test: { ...test, setupFiles: [listedStatuses] },
});

export default defineConfig({
  test: {
    // Most files wait for servers more than they work: two at a time also on a machine of two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      ...[
        'contracts',
        'server',
        'database',
        'events',
        'jobs',
        'clock',
        'api-client',
        'delivery',
        'mail',
      ].map((name) => node(name, `libs/${name}`)),
      ...['accounts', 'billing', 'content', 'scheduler', 'sms-gateway', 'gateway', 'sandbox'].map(
        (name) => withSetup(node(name, `services/${name}`)),
      ),
      node('web', 'web'),
      node('admin-web', 'admin-web'),
      node('local', 'deploy/local'),
      node('secrets', 'deploy/secrets'),
    ],
  },
});
