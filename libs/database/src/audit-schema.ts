import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';

const prepareSql = new URL('../../../k8s/components/postgres/prepare.sql', import.meta.url);

/** Returns the part of prepare.sql that gives the audit log its own owner. */
export async function readAuditSchema(): Promise<string> {
  const [, rest] = (await readFile(prepareSql, 'utf8')).split('-- audit log: begin\n');
  const [statements] = rest?.split('-- audit log: end') ?? [];
  if (!statements) throw new Error('prepare.sql has no audit log section.');
  return statements;
}

/** Prepares the schema of the audit log, as an administrator; the schema `accounts` must exist. */
export async function prepareAuditSchema(client: ClientBase): Promise<void> {
  await client.query(await readAuditSchema());
}
