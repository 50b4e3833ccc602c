import { type Kysely, sql } from 'kysely';

/**
 * Each entry has a hash of itself and the previous hash. A trigger adds it, so no writer can forget it,
 * under a lock, so concurrent writers form one chain. Positions are assigned under the same lock: without
 * gaps and in chain order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table audit_log add column hash bytea`,
    sql`create function audit_hash(previous bytea, entry audit_log) returns bytea language sql stable as $$
      select sha256(convert_to(jsonb_build_array(
        encode(previous, 'hex'), entry.position, extract(epoch from entry.at), entry.actor_id, entry.actor_username,
        entry.action, entry.target, entry.details, entry.ip, entry.request_id)::text, 'UTF8')) $$`,
    sql`create function chain_audit_entry() returns trigger language plpgsql as $$
      declare newest record;
      begin
        perform pg_advisory_xact_lock(hashtext('audit_log'));
        select position, hash into newest from audit_log order by position desc limit 1;
        new.position := coalesce(newest.position, 0) + 1;
        new.hash := audit_hash(newest.hash, new);
        return new;
      end $$`,
    sql`alter table audit_log disable trigger audit_log_append_only`,
    sql`do $$
      declare entry audit_log; previous bytea;
      begin
        for entry in select * from audit_log order by position loop
          previous := audit_hash(previous, entry);
          update audit_log set hash = previous where position = entry.position;
        end loop;
      end $$`,
    sql`alter table audit_log enable trigger audit_log_append_only`,
    sql`alter table audit_log alter column hash set not null`,
    sql`create trigger audit_log_chained before insert on audit_log
      for each row execute function chain_audit_entry()`,
    sql`drop index audit_log_newest`,
    sql`create index audit_log_newest on audit_log (at desc, position desc)`,
    sql`create index audit_log_by_actor on audit_log (actor_username, at desc, position desc)`,
    sql`create index audit_log_by_action on audit_log (action, at desc, position desc)`,
    sql`create index audit_log_by_target on audit_log (target, at desc, position desc)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
