import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { unitProjects } from './deploy/local/unit-projects.ts';

const listedStatuses = fileURLToPath(
  new URL('libs/testing/src/listed-statuses.ts', import.meta.url),
);

/** Projects whose modules keep no state from one test file to the next. Sharing workers saves a second of CPU per file. */
const sharing = [
  'accounts',
  'admin-web',
  'api-client',
  'billing',
  'clock',
  'content',
  'database',
  'delivery',
  'events',
  'gateway',
  'mail',
  'sandbox',
  'scheduler',
  'server',
  'sms-gateway',
  'web',
];

/** Vite transforms JSX and styles. Node runs everything else itself, which takes less CPU time. */
const apps = ['web', 'admin-web'];

const node = (name: string, root: string) => ({
  test: {
    name,
    root,
    include: ['**/*.test.ts'],
    environment: 'node',
    isolate: !sharing.includes(name),
    ...(!apps.includes(name) && { experimental: { viteModuleRunner: false, nodeLoader: false } }),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

/** Checks that routes respond only with statuses in their schemas. */
const withSetup = ({ test }: ReturnType<typeof node>) => ({
  test: { ...test, setupFiles: [listedStatuses] },
});

export default defineConfig({
  test: {
    // Tests mostly wait for servers: three files keep one core busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [...unitProjects].map(([name, root]) =>
      root.startsWith('services/') ? withSetup(node(name, root)) : node(name, root),
    ),
  },
});
