import { type Kysely, sql } from 'kysely';

/** The switch that stops all sending, one row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // `revision` grows with each freeze and lift. A send decided under an earlier one is decided again.
    // The last freeze stays after it is lifted, for texts whose windows closed during it.
    sql`create table sending_freeze (
      singleton boolean primary key default true check (singleton),
      revision bigint not null default 1,
      frozen_at timestamptz,
      frozen_by text,
      reason text,
      lifted_at timestamptz,
      -- Texts due by then were abandoned when sending started again.
      skipped_until timestamptz,
      check ((frozen_at is null) = (frozen_by is null)),
      check (lifted_at is null or frozen_at is not null)
    )`,
    sql`insert into sending_freeze default values`,
    // Counts what a freeze cost.
    sql`create index texts_missed_or_unknown on texts (settled_at) where state in ('missed', 'unknown')`,
  ];
  for (const statement of statements) await statement.execute(db);
}
