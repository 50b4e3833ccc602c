import type { AdminRole } from '@daylift/contracts/fields';
import type { LoggedText } from '@daylift/contracts/sms-operations.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { phoneAsSeenBy, withoutContacts } from '@daylift/server/mask-contact';
import { withoutCode } from '../texts/code-text.ts';
import { type LogRow, logStatusOf } from './delivery-log.repository.ts';

const iso = (instant: Date | null) => instant?.toISOString() ?? null;

/** Returns a text as operators see it. */
export function loggedTextOf(row: LogRow, role: AdminRole): LoggedText {
  return {
    id: row.id,
    user_id: row.user_id,
    first_name: row.first_name ?? '',
    to: phoneAsSeenBy(role, row.to_number ?? row.phone),
    kind: row.kind,
    message_content: contentFor(row, role),
    status: logStatusOf(row.state),
    reason: reasonInWords(row.reason),
    error_code: row.error_code,
    batch_id: row.batch_id,
    local_date: row.local_date,
    created_at: row.created_at.toISOString(),
    sent_at: iso(row.handed_at),
    finished_at: iso(row.finalized_at ?? row.settled_at),
    parts: row.parts,
    cost: row.cost,
    currency: row.currency,
    is_test: row.is_test,
  };
}

/** A staff reply may name a phone number or an email address. */
function contentFor({ kind, body, content }: LogRow, role: AdminRole): string {
  const words = withoutCode(body ?? content);
  return kind === 'answer' && role === 'viewer' ? withoutContacts(words) : words;
}
