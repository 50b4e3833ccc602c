import type { TestProject } from 'vitest/node';
import { startTestStack } from '../stack-for-test.ts';

declare module 'vitest' {
  interface ProvidedContext {
    urls: { gateway: string; sandbox: string };
    admin: { username: string; password: string };
    secretsFile: string;
    databaseAdminUrl: string;
  }
}

/** Starts the product for all files of this folder and returns a function that stops it. */
export default async function startProduct(project: TestProject): Promise<() => Promise<void>> {
  const running = await startTestStack({ CLOCK_START: '2027-04-05T15:20:00Z' });
  project.provide('urls', running.stack.urls);
  project.provide('admin', running.stack.adminCredentials);
  project.provide('secretsFile', running.stack.layout.secrets);
  project.provide('databaseAdminUrl', running.stack.databaseAdminUrl);
  return running.stop;
}
