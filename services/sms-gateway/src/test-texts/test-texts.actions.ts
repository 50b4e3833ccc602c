import { hourMs } from '@daylift/clock/durations';
import type { TestTextRequest } from '@daylift/contracts/sms-operations.http';
import { lockKey } from '@daylift/database/advisory-locks';
import { withSampleName } from '@daylift/delivery/first-name';
import { countSegments, maxParts } from '@daylift/delivery/segments';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { maskPhone } from '@daylift/server/mask-contact';
import type { SmsDeps } from '../deps.ts';
import { TestPhoneStopped, TestTextTooLong, TooManyTestTexts } from '../errors.ts';
import { isOptedOut } from '../opt-outs/opt-outs.repository.ts';
import { queueTransactionalText } from '../welcome/transactional-texts.ts';
import { countTestTexts, insertTestText } from './test-texts.repository.ts';

type Deps = Pick<SmsDeps, 'db' | 'clock' | 'readPhone' | 'numberHash'>;

/** Enough to try out wordings, but too few to text other people. */
const maxPerHour = 10;

/**
 * Sends a message to the admin's own phone, marked as a test. It belongs to no subscriber, so it doesn't count toward
 * anyone's daily limit or any statistics.
 */
export async function sendTestText(
  deps: Deps,
  { content, phone, idempotency_key: id }: TestTextRequest,
  by: ActingAdmin,
): Promise<void> {
  const number = await deps.readPhone(phone);
  const text = withSampleName(content.trim());
  if (countSegments(`[Test] ${text}`).parts > maxParts) throw new TestTextTooLong(maxParts);
  const pinned_hash = deps.numberHash(number);
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    await lockKey(trx, `test-texts:${by.admin_id}`);
    if (!(await insertTestText(trx, { id, admin_id: by.admin_id, created_at: now }))) return;
    const since = new Date(now.getTime() - hourMs);
    if ((await countTestTexts(trx, by.admin_id, since)) > maxPerHour)
      throw new TooManyTestTexts(maxPerHour);
    if (await isOptedOut(trx, pinned_hash)) throw new TestPhoneStopped();
    await queueTransactionalText(trx, {
      key: `test:${id}`,
      kind: 'test',
      content: text,
      user_id: null,
      reply_to: number,
      pinned_hash,
      timezone: 'UTC',
      now,
    });
    const action = {
      action: 'message.tested',
      target: null,
      details: { phone: maskPhone(number) },
    };
    await publishAdminAction(trx, 'sms', by, action, now);
  });
}
