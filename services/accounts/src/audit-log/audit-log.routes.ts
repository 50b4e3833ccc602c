import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { AccountsDeps } from '../deps.ts';
import { checkChain, listEntries } from './audit-log.repository.ts';

export function auditLogRoutes(app: Server, { db, readAnchor }: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /admin/audit-log': (request) => listEntries(db, request.query),
    'GET /admin/audit-log/verify': async (request) => {
      // Read before the entries, so later entries don't count as missing.
      const anchor = await readAnchor();
      return checkChain(db, request.query.after_entry, anchor);
    },
  });
}
