import { randomBytes } from 'node:crypto';

/** URL of a real server started by the test runner. */
export const requiredUrl = (
  name: 'TEST_DATABASE_ADMIN_URL' | 'TEST_REDIS_URL' | 'TEST_NATS_URL',
): string => requiredSetting(name);

/** Returns a setting from the test runner. Throws if it isn't set. */
export function requiredSetting(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set. Run the tests with: npm test -- unit <project>`);
  return value;
}

/** Folder for data of tests, in memory if possible: a busy disk can delay a response by seconds. */
export const testFolder = (): string => requiredSetting('TEST_FOLDER');

/** Separates the streams, subjects or queues of test files that share a server. */
export function uniquePrefix(): string {
  return `t${randomBytes(5).toString('hex')}-`;
}
