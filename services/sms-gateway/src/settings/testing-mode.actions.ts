import type { TestingModeRequest } from '@daylift/contracts/sms-operations.http';
import { responseWindows } from '@daylift/delivery/send-windows';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { SmsDeps } from '../deps.ts';
import { TestPhoneMissing, TestPhoneStopped } from '../errors.ts';
import { isOptedOut } from '../opt-outs/opt-outs.repository.ts';
import { deadlineOf } from '../texts/decide-send.ts';
import { newTextId } from '../texts/text-ids.ts';
import { insertTexts } from '../texts/texts.repository.ts';
import { transactionalTextRules } from '../texts/transactional-rules.ts';
import { deferPastQuietHours } from '../welcome/consent-requests.ts';
import {
  changeTestingMode,
  findTestedFirstTexts,
  lockTestingMode,
  moveKeys,
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
    if (before.enabled && !after.enabled) await repeatFirstTexts(trx, now);
    await recordChange(trx, { before, after, by, now });
    return after;
  });
}

/**
 * Sends welcomes and consent requests that went only to the test number again, to their recipients: in quiet hours the
 * next morning, because the recipients didn't cause them. The new text takes over the test's key; a newer request may
 * hold it already.
 */
async function repeatFirstTexts(trx: Transaction<SmsDatabase>, now: Date): Promise<void> {
  const tested = await findTestedFirstTexts(trx, now);
  const repeats = tested.map(({ id: from, timezone, ...text }) => {
    const opensAt = deferPastQuietHours({ allows_quiet_hours: false, timezone }, now);
    const { validForHours } = transactionalTextRules[text.kind];
    const windows = responseWindows(opensAt, validForHours, timezone ?? 'UTC');
    const due = { windows, deadline_at: deadlineOf(windows), next_attempt_at: opensAt };
    return { from, text: { ...text, ...due, id: newTextId(text.local_date), created_at: now } };
  });
  if (repeats.length === 0) return;
  await moveKeys(
    trx,
    repeats.map(({ from, text }) => ({ from, to: text.id })),
  );
  await insertTexts(
    trx,
    repeats.map(({ text }) => text),
    { now, isPushed: true },
  );
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
