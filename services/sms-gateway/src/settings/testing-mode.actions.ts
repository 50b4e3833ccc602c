import type { TestingModeRequest } from '@daylift/contracts/sms-operations.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { SmsDeps } from '../deps.ts';
import { TestPhoneMissing, TestPhoneStopped } from '../errors.ts';
import { isOptedOut } from '../opt-outs/opt-outs.repository.ts';
import {
  changeTestingMode,
  lockTestingMode,
  repeatTestedFirstTexts,
  type TestingModeRow,
} from './testing-mode.repository.ts';

type Deps = Pick<SmsDeps, 'db' | 'clock' | 'readPhone' | 'numberHash'>;

/** Once this returns, every text marked for sending goes where the new mode says. Idempotent. */
export async function setTestingMode(
  deps: Deps,
  request: TestingModeRequest,
  by: ActingAdmin,
): Promise<TestingModeRow> {
  const given = request.test_phone?.trim() ? await deps.readPhone(request.test_phone) : null;
  if (request.enabled && given === null) throw new TestPhoneMissing();
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (trx) => {
    if (request.enabled && given !== null && (await isOptedOut(trx, deps.numberHash(given))))
      throw new TestPhoneStopped();
    const before = await lockTestingMode(trx);
    const wanted = { enabled: request.enabled, test_phone: given ?? before.test_phone };
    if (before.enabled === wanted.enabled && before.test_phone === wanted.test_phone) return before;
    const after = await changeTestingMode(trx, {
      ...wanted,
      ...sinceAndBy(before, wanted, by, now),
    });
    if (before.enabled && !after.enabled) await repeatTestedFirstTexts(trx, now);
    await recordChange(trx, { before, after, by, now });
    return after;
  });
}

function sinceAndBy(
  before: TestingModeRow,
  wanted: { enabled: boolean },
  by: ActingAdmin,
  now: Date,
) {
  if (!wanted.enabled) return { enabled_at: null, enabled_by: null };
  if (before.enabled) return { enabled_at: before.enabled_at, enabled_by: before.enabled_by };
  return { enabled_at: now, enabled_by: by.username };
}

function recordChange(
  trx: Transaction<SmsDatabase>,
  change: { before: TestingModeRow; after: TestingModeRow; by: ActingAdmin; now: Date },
): Promise<void> {
  const { before, after, by, now } = change;
  const action = after.enabled ? 'testing_mode.switched_on' : 'testing_mode.switched_off';
  const adminAction = {
    action: before.enabled === after.enabled ? 'testing_mode.number_changed' : action,
    target: null,
    details: {
      enabled: { from: before.enabled, to: after.enabled },
      number_changed: before.test_phone !== after.test_phone,
    },
  };
  return publishAdminAction(trx, 'sms', by, adminAction, now);
}
