import { ErrorBody } from '@daylift/contracts/error';
import type { AdminRole } from '@daylift/contracts/fields';
import { TestingModeRequest, TestingModeSettings } from '@daylift/contracts/sms-operations.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { adminOf, requireAdmin } from '@daylift/server/identity';
import { phoneAsSeenBy } from '@daylift/server/mask-contact';
import type { SmsDeps } from '../deps.ts';
import { setTestingMode } from './testing-mode.actions.ts';
import { findTestingMode, type TestingModeRow } from './testing-mode.repository.ts';

const path = '/admin/settings/testing-mode';
const refusals = { 401: ErrorBody, 403: ErrorBody };

const view = (row: TestingModeRow, role: AdminRole): TestingModeSettings => ({
  testing_mode_enabled: row.enabled,
  test_phone_number: phoneAsSeenBy(role, row.test_phone),
  enabled_at: row.enabled_at?.toISOString() ?? null,
  enabled_by: row.enabled_by,
});

export async function registerTestingMode(app: Server, { db }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    path,
    { schema: { response: { 200: TestingModeSettings, ...refusals } } },
    async (request) => view(await findTestingMode(db), adminOf(request).role),
  );
}

export async function registerTestingModeSwitch(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    path,
    {
      schema: {
        body: TestingModeRequest,
        response: { 200: TestingModeSettings, 400: ErrorBody, 409: ErrorBody, ...refusals },
      },
    },
    async (request) =>
      view(await setTestingMode(deps, request.body, actingAdmin(request)), adminOf(request).role),
  );
}
