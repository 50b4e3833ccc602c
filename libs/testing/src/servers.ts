import { randomBytes } from 'node:crypto';

type ServerVariable = 'TEST_DATABASE_ADMIN_URL' | 'TEST_REDIS_URL' | 'TEST_NATS_URL';

/** URL of a real server started by the test runner. */
export function requiredUrl(name: ServerVariable): string {
  const url = process.env[name];
  if (url === undefined)
    throw new Error(`${name} is not set. Run the tests with: npm test -- unit <project>`);
  return url;
}

/** Separates the streams, subjects or queues of test files that share a server. */
export function uniquePrefix(): string {
  return `t${randomBytes(5).toString('hex')}-`;
}
