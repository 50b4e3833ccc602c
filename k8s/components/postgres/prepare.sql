-- One role and one schema for each service, in one database. Run by the image on its first start, and by whoever has a
-- server of their own: DAYLIFT_SECRETS=.secrets/postgres psql "$ADMIN_URL" -f k8s/components/postgres/prepare.sql
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
-- An administrator who is no superuser may hand ownership only to a role they are a member of.
select format('grant %I to current_user', role) from parts \gexec
select format('create schema if not exists %I authorization %I', schema, role) from parts \gexec
select format('alter role %I in database daylift set search_path = %I', role, schema) from parts \gexec
commit;
