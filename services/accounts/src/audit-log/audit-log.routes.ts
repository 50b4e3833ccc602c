import {
  AuditCheck,
  AuditCheckQuery,
  AuditEntryList,
  AuditQuery,
} from '@daylift/contracts/audit.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { AccountsDeps } from '../deps.ts';
import { checkChain, listEntries } from './audit-log.repository.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };

/** Reading what admins did; nobody writes here by a call. */
export function auditLogRoutes(
  app: Server,
  { db, readAnchor }: Pick<AccountsDeps, 'db' | 'readAnchor'>,
): void {
  app.addHook('onRequest', requireAdmin('owner'));

  app.get(
    '/admin/audit-log',
    { schema: { querystring: AuditQuery, response: { 200: AuditEntryList, ...refusals } } },
    (request) => listEntries(db, request.query),
  );

  app.get(
    '/admin/audit-log/verify',
    { schema: { querystring: AuditCheckQuery, response: { 200: AuditCheck, ...refusals } } },
    // The anchor first: entries that come later are no loss.
    async (request) => {
      const anchor = await readAnchor();
      return checkChain(db, request.query.after_entry, anchor);
    },
  );
}
