import { defineConfig } from 'vitest/config';

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

export default defineConfig({
  test: {
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
        (name) => node(name, `services/${name}`),
      ),
      node('web', 'web'),
      node('admin-web', 'admin-web'),
      node('local', 'deploy/local'),
    ],
  },
});
