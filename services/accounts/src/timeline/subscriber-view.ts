import type { AdminRole } from '@daylift/contracts/fields';
import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import type { OptOut, Schedule } from '@daylift/contracts/timeline-parts.http';
import { noSendInWords, unreachableInWords } from '@daylift/delivery/reason-words';
import { emailAsSeenBy, phoneAsSeenBy } from '@daylift/server/mask-contact';
import type { AccountsDeps } from '../deps.ts';
import { localDateOf } from '../users/local-dates.ts';
import { adminUserOf, seesContacts } from '../users/user-views.ts';
import { findLastMessage } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { readParts } from './parts.ts';
import { findConsents, findName } from './timeline.repository.ts';

export async function viewSubscriber(
  deps: Pick<AccountsDeps, 'db' | 'exportParts' | 'identityHash' | 'clock'>,
  user: User,
  role: AdminRole,
): Promise<AdminSubscriber> {
  const parts = readParts(deps);
  const [consents, referred_by, last_message_sent, schedule, optOut] = await Promise.all([
    findConsents(deps.db, user.id),
    findName(deps.db, user.referrer_user_id),
    findLastMessage(deps.db, user.id),
    parts.read<Schedule>('schedule', `/internal/schedule/${user.id}`),
    parts.read<OptOut>('texts', `/internal/opt-out/${user.id}`),
  ]);
  const currentNumberHash = user.phone === null ? null : deps.identityHash(user.phone);
  const seesSender = seesContacts(role);
  return {
    ...adminUserOf({ ...user, last_message_sent }, role),
    today: localDateOf(deps.clock.now(), user.timezone).toString(),
    pending_email: user.pending_email && emailAsSeenBy(role, user.pending_email),
    pending_phone: user.pending_phone && phoneAsSeenBy(role, user.pending_phone),
    delivery_weekday: user.weekday,
    paused_until: user.paused_until,
    unreachable_since: user.unreachable_since?.toISOString() ?? null,
    referral_code: user.referral_code,
    referral_count: user.referral_count,
    referred_by,
    consents: consents.map(({ phone_hash, ip, user_agent, given_at, ...proof }) => ({
      ...proof,
      given_at: given_at.toISOString(),
      for_present_number: phone_hash === currentNumberHash,
      ip: seesSender ? ip : null,
      user_agent: seesSender ? user_agent : null,
    })),
    last_opt_out: seesSender ? (optOut?.last ?? null) : withoutNote(optOut),
    number_line: optOut?.line ?? null,
    next_text_at: schedule?.next_text_at ?? null,
    why_no_next_text: schedule === null ? null : explainNoText(schedule.why_none, user.unreachable),
    history_since: user.history_since.toISOString(),
    missing: parts.missing,
  };
}

/** A note may contain contact data. */
const withoutNote = (optOut: OptOut | null): OptOut['last'] => {
  if (!optOut?.last) return null;
  const { note: _, ...last } = optOut.last;
  return last;
};

function explainNoText(why: Schedule['why_none'], unreachable: User['unreachable']): string | null {
  if (why === null) return null;
  if (why === 'setting_up') return 'No text scheduled yet.';
  if (why === 'no_consent' && unreachable !== null)
    return `Paused: ${unreachableInWords(unreachable)}.`;
  return noSendInWords(why);
}
