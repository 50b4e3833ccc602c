-- One role and one schema for each service, in one database. The image runs it on its first start. On your own
-- server: DAYLIFT_SECRETS=.secrets/postgres psql "$ADMIN_URL" -f k8s/components/postgres/prepare.sql
-- It can be run again: it adds what is missing and sets the passwords.
\set ON_ERROR_STOP on
select 'create database daylift' where not exists (select from pg_database where datname = 'daylift') \gexec
\connect daylift
\set accounts `cat "$DAYLIFT_SECRETS/accounts"`
\set billing `cat "$DAYLIFT_SECRETS/billing"`
\set content `cat "$DAYLIFT_SECRETS/content"`
\set scheduler `cat "$DAYLIFT_SECRETS/scheduler"`
\set sms_gateway `cat "$DAYLIFT_SECRETS/sms_gateway"`

begin;
create temporary table parts (schema text, role text, password text) on commit drop;
insert into parts (schema, password) values
  ('accounts', :'accounts'), ('billing', :'billing'), ('content', :'content'), ('scheduler', :'scheduler'),
  ('sms_gateway', :'sms_gateway');
update parts set role = 'daylift_' || schema;

select format('create role %I', role) from parts
  where not exists (select from pg_roles where rolname = role) \gexec
select format('alter role %I with login nosuperuser nocreatedb nocreaterole password %L', role, password) from parts \gexec
revoke all on database daylift from public;
revoke all on schema public from public;
select format('grant connect on database daylift to %I', role) from parts \gexec
-- An administrator who isn't a superuser can give ownership only to a role that they are a member of.
select format('grant %I to current_user', role) from parts \gexec
select format('create schema if not exists %I authorization %I', schema, role) from parts \gexec
select format('alter role %I in database daylift set search_path = %I', role, schema) from parts \gexec
commit;

-- The audit log has its own schema and belongs to a role that can't log in, because a table's owner and the owner of
-- its schema can drop it. accounts reads and appends. Its migrations call adopt_log() once the table exists; later
-- changes of the table go here too.
-- audit log: begin
do $$
declare accounts regrole := (select nspowner::regrole from pg_namespace where nspname = 'accounts');
begin
  if not exists (select from pg_roles where rolname = 'daylift_audit') then
    create role daylift_audit with nologin nosuperuser nocreatedb nocreaterole;
  end if;
  grant daylift_audit to current_user;
  create schema if not exists audit authorization daylift_audit;
  execute format('grant usage on schema audit to %s', accounts);
end $$;
create or replace function audit.adopt_log() returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare accounts regrole := (select nspowner::regrole from pg_namespace where nspname = 'accounts');
begin
  if to_regclass('audit.audit_log') is not null then return; end if;
  alter table accounts.audit_log set schema audit;
  alter function accounts.refuse_change() set schema audit;
  alter function accounts.chain_audit_entry() set schema audit;
  alter function accounts.audit_hash(bytea, audit.audit_log) set schema audit;
  alter table audit.audit_log owner to daylift_audit;
  alter function audit.refuse_change() owner to daylift_audit;
  alter function audit.chain_audit_entry() owner to daylift_audit;
  alter function audit.audit_hash(bytea, audit.audit_log) owner to daylift_audit;
  -- A caller's search path must not lead the trigger to another table.
  alter function audit.chain_audit_entry() set search_path = audit, pg_temp;
  execute format('grant select, insert on audit.audit_log to %s', accounts);
end $$;
revoke all on function audit.adopt_log() from public;
do $$
begin
  execute format('grant execute on function audit.adopt_log() to %s',
    (select nspowner::regrole from pg_namespace where nspname = 'accounts'));
end $$;
-- audit log: end
