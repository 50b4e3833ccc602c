import type { AdminRole } from '@daylift/contracts/fields';
import type { DispatchKind } from '@daylift/contracts/scheduler.events';
import type {
  FailedDeliveries,
  UndeliveredGroup,
  UndeliveredOutcome,
  UndeliveredQuery,
  UndeliveredSubscriber,
  UndeliveredTexts,
} from '@daylift/contracts/undelivered.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { localDateAt } from '@daylift/delivery/send-windows';
import { Unavailable } from '@daylift/server/error';
import type { SchedulerDeps } from '../deps.ts';
import { nameSubscribers } from './name-subscribers.ts';
import {
  countMissed,
  countWaiting,
  type EndedGroup,
  findDispatchesOf,
  findMissed,
  findWaiting,
  groupLimit,
  type PageOf,
  type UndeliveredRow,
} from './undelivered.repository.ts';

/** Worst first: what an operator should investigate comes before what subscribers chose. */
const order: UndeliveredOutcome[] = [
  'waiting',
  'missed',
  'refused',
  'failed',
  'unknown',
  'testing',
  'skipped',
];

/** Returns subscribers who were due on a date and got no text, by reason; with a reason, who they are. */
export async function readUndelivered(
  deps: SchedulerDeps,
  query: UndeliveredQuery,
  role: AdminRole,
): Promise<UndeliveredTexts> {
  const { db, clock, operatorTimezone } = deps;
  const now = clock.now();
  const date = query.date ?? localDateAt(now, operatorTimezone);
  const kinds = await Promise.all(
    (['daily', 'announcement'] as const).map(async (kind) => {
      const [waiting, { groups, has_texts, stopped }] = await Promise.all([
        countWaiting(db, { date, kind }, now),
        findEndedGroups(deps, date, kind),
      ]);
      // A stop explains the wait, but isn't part of the key because it can end.
      const late = {
        ...groupOf(kind, 'waiting', '', waiting),
        words: waitReasons[stopped ?? 'late'],
      };
      return { has_texts, groups: waiting > 0 ? [late, ...groups] : groups };
    }),
  );
  const groups = kinds
    .flatMap((one) => one.groups)
    .toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome));
  const { reason, cursor: after = null, limit } = query;
  // One row more than the page holds, to know whether another page exists.
  const page =
    reason === undefined ? [] : await findPage(deps, reason, { date, after, limit: limit + 1 });
  const shown = page.slice(0, query.limit);
  return {
    date,
    was_due: groups.length > 0 || kinds.some((one) => one.has_texts),
    groups,
    people: (await nameSubscribers(deps.accounts, shown, role)).map(personOf),
    next: page.length > query.limit ? (shown.at(-1)?.user_id ?? null) : null,
  };
}

/**
 * Returns the groups of a date's undelivered texts that can no longer be sent, whether any text was sent, and why
 * nothing is being sent now.
 */
export async function findEndedGroups(
  deps: SchedulerDeps,
  date: string,
  kind: DispatchKind,
): Promise<{ groups: UndeliveredGroup[] } & Pick<FailedDeliveries, 'has_texts' | 'stopped'>> {
  const [ended, { groups: failed, has_texts, stopped }] = await Promise.all([
    countMissed(deps.db, date, kind),
    fetchUndelivered(deps, { date, kind }),
  ]);
  const groups = [
    ...ended.map(({ state, reason, people }) => groupOf(kind, outcomeOf(state), reason, people)),
    ...failed.map(({ reason, people }) => groupOf(kind, 'failed', reason, people)),
  ];
  return { groups, has_texts, stopped };
}

const personOf = ({
  due_at,
  settled_at,
  ...row
}: UndeliveredRow & Omit<UndeliveredSubscriber, 'due_at' | 'ended_at'>): UndeliveredSubscriber => ({
  user_id: row.user_id,
  name: row.name,
  email: row.email,
  phone: row.phone,
  timezone: row.timezone,
  due_at: due_at.toISOString(),
  ended_at: settled_at?.toISOString() ?? null,
});

const outcomeOf = (state: EndedGroup['state']): UndeliveredOutcome =>
  state === 'accepted' ? 'testing' : (state as UndeliveredOutcome);

const announcementPrefix = 'announcement-';

function groupOf(
  kind: DispatchKind,
  outcome: UndeliveredOutcome,
  reason: string,
  people: number,
): UndeliveredGroup {
  return {
    key: `${kind === 'daily' ? '' : announcementPrefix}${outcome}:${reason}`,
    kind,
    outcome,
    reason: reason === '' ? null : reason,
    words: wordsOf(outcome, reason),
    people,
    more: people >= groupLimit,
  };
}

const waitReasons = {
  frozen: 'Sending is frozen.',
  paused: 'The provider is rejecting all texts or is down.',
  late: 'Late, but still within its sending window.',
};

function wordsOf(outcome: UndeliveredOutcome, reason: string): string {
  if (outcome === 'testing') return 'Testing mode was on, so it went to the test number.';
  const words = reasonInWords(reason === '' ? null : reason) ?? 'No reason recorded.';
  return outcome === 'unknown' ? `${words} It may have been sent, so it isn't retried.` : words;
}

/** Returns a page of a group's subscribers by id. `key` is the group's. */
export async function findPage(
  deps: SchedulerDeps,
  key: string,
  where: Omit<PageOf, 'kind'>,
): Promise<UndeliveredRow[]> {
  const { kind, outcome, reason } = splitKey(key);
  const page = { ...where, kind };
  if (outcome === 'waiting') return findWaiting(deps.db, page, deps.clock.now());
  if (outcome === 'failed') return findUndelivered(deps, page, reason);
  return findMissed(deps.db, page, {
    state: outcome === 'testing' ? 'accepted' : outcome,
    reason,
  });
}

function splitKey(key: string): { kind: DispatchKind; outcome: string; reason: string } {
  const isAnnouncement = key.startsWith(announcementPrefix);
  const [outcome = '', ...reason] = key
    .slice(isAnnouncement ? announcementPrefix.length : 0)
    .split(':');
  return { kind: isAnnouncement ? 'announcement' : 'daily', outcome, reason: reason.join(':') };
}

async function findUndelivered(
  deps: SchedulerDeps,
  { date, kind, after, limit }: PageOf,
  reason: string,
): Promise<UndeliveredRow[]> {
  const { people } = await fetchUndelivered(deps, {
    date,
    kind,
    reason,
    limit: String(limit),
    ...(after === null ? {} : { after }),
  });
  if (people.length === 0) return [];
  const dispatches = await findDispatchesOf(
    deps.db,
    people.map((one) => one.user_id),
    { date, kind },
  );
  return people.flatMap(({ user_id, text_id, ended_at }) => {
    const dispatch = dispatches.find(
      (one) => one.user_id === user_id && (kind === 'daily' || one.id === text_id),
    );
    const settled_at = ended_at === null ? null : new Date(ended_at);
    return dispatch === undefined ? [] : [{ ...dispatch, settled_at }];
  });
}

async function fetchUndelivered(
  { smsGateway }: SchedulerDeps,
  query: Record<string, string>,
): Promise<FailedDeliveries> {
  const response = await smsGateway.get<FailedDeliveries>(
    `/internal/undelivered?${new URLSearchParams(query)}`,
  );
  if (response === null)
    throw new Unavailable('Undelivered texts can’t be loaded right now. Please try again.');
  return response;
}
