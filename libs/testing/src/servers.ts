import { randomBytes } from 'node:crypto';

type ServerVariable = 'TEST_DATABASE_ADMIN_URL' | 'TEST_REDIS_URL' | 'TEST_NATS_URL';

/** Address of a real server that the test runner started. */
export function requiredUrl(name: ServerVariable): string {
  const url = process.env[name];
  if (url === undefined)
    throw new Error(`${name} is not set. Run the tests with: npm test -- unit <project>`);
  return url;
}

/** Keeps the streams, subjects or queues of one test file apart from those of all others on the same server. */
export function uniquePrefix(): string {
  return `t${randomBytes(5).toString('hex')}-`;
}
