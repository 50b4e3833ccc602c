import type { AdminRole } from '@daylift/contracts/fields';
import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { TestingModeSettings } from '@daylift/contracts/sms-operations.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { phoneAsSeenBy } from '@daylift/server/mask-contact';
import type { SmsDeps } from '../deps.ts';
import { setTestingMode } from './testing-mode.actions.ts';
import { findTestingMode, type TestingModeRow } from './testing-mode.repository.ts';

const view = (row: TestingModeRow, role: AdminRole): TestingModeSettings => ({
  testing_mode_enabled: row.enabled,
  test_phone_number: phoneAsSeenBy(role, row.test_phone),
  enabled_at: row.enabled_at?.toISOString() ?? null,
  enabled_by: row.enabled_by,
});

export function testingModeRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/settings/testing-mode': async (request) =>
      view(await findTestingMode(deps.db), adminOf(request).role),
    'POST /admin/settings/testing-mode': async (request) =>
      view(await setTestingMode(deps, request.body, actingAdmin(request)), adminOf(request).role),
  });
}
