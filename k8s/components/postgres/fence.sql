-- The fence before a restored database: nothing is sent until an operator lifts the freeze, with "skip".
--   psql "$ADMIN_DATABASE_URL" -d daylift -f k8s/components/postgres/fence.sql        (see deploy/README.md)
update sms_gateway.sending_freeze set revision = revision + 1, frozen_at = now(), frozen_by = 'restore',
  reason = 'restored from a backup', lifted_at = null, skipped_until = null;
