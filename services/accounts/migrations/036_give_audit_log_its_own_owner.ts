import { type Kysely, sql } from 'kysely';

/** The service keeps the rights to read and append. The view serves queries without a schema. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } =
    await sql`select from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname = 'audit' and proname = 'adopt_log'`.execute(db);
  if (rows.length === 0)
    throw new Error(
      'The database lacks the schema of the audit log. Run k8s/components/postgres/prepare.sql as its administrator, then try again.',
    );
  await sql`select audit.adopt_log()`.execute(db);
  await sql`create view audit_log as select * from audit.audit_log`.execute(db);
}
