import type { LiftPreview } from '@daylift/contracts/freeze.http';
import { withFirstName } from '@daylift/delivery/first-name';
import { countSegments } from '@daylift/delivery/segments';
import { isQuietHours } from '@daylift/delivery/send-windows';
import { timesDecimal } from '@daylift/delivery/times-decimal';
import type { SmsDeps } from '../deps.ts';
import { countFigures, sampleWaiting, type WaitingGroup } from '../freeze/figures.repository.ts';
import { findFreeze, isFrozen } from '../freeze/freeze.repository.ts';
import { findPrice } from '../statistics/statistics.repository.ts';
import { decideByWindows } from '../texts/decide-send.ts';

/** Placeholder of average length for a first name. */
const averageName = 'Daniel';

/** Returns what would happen to the queued texts if the freeze were lifted now. */
export async function previewLift(deps: SmsDeps): Promise<LiftPreview> {
  const { db, clock, settings } = deps;
  const now = clock.now();
  const freeze = await findFreeze(db);
  const [price, figures, { groups, share }] = await Promise.all([
    findPrice(db, settings.SMS_PRICE_PER_PART),
    countFigures(db, now, isFrozen(freeze) ? freeze.frozen_at : null),
    sampleWaiting(db, now),
  ]);
  const fates = groups.map((group) => ({ group, fate: fateOf(group, now) }));
  const inAll = (figure: number) => (share === 1 ? figure : roundedOff(figure / share));
  const total = (...wanted: Fate[]) =>
    inAll(
      fates
        .filter(({ fate }) => wanted.includes(fate))
        .reduce((sum, { group }) => sum + group.texts, 0),
    );
  const parts = fates
    .filter(({ fate }) => fate === 'now' || fate === 'quiet_hours')
    .reduce((sum, { group }) => sum + group.texts * partsOf(group), 0);
  const catch_up = total('now', 'quiet_hours');
  return {
    catch_up,
    is_estimate: share < 1,
    estimated_cost: timesDecimal(price.per_part, inAll(parts)),
    currency: price.currency,
    drain_seconds: Math.ceil(catch_up / settings.SMS_RATE_PER_SECOND),
    at_night: total('quiet_hours'),
    in_the_morning: total('in_the_morning'),
    skip: total('now', 'quiet_hours', 'in_the_morning', 'postponed'),
    too_late: figures.missed_meanwhile + total('too_late'),
    own_texts: total('transactional'),
  };
}

/** Rounds an estimate to its significant digits. */
const roundedOff = (figure: number): number => Number(figure.toPrecision(3));

type Fate = 'now' | 'quiet_hours' | 'in_the_morning' | 'postponed' | 'too_late' | 'transactional';

/** Decides by the same function that runs right before each send. */
function fateOf(
  { windows, timezone, is_transactional, is_postponed }: WaitingGroup,
  now: Date,
): Fate {
  if (is_transactional) return 'transactional';
  const decision = decideByWindows(windows, now);
  if (decision !== 'open' && decision.do === 'end') return 'too_late';
  if (is_postponed) return 'postponed';
  if (decision === 'open')
    return timezone !== null && isQuietHours(now, timezone) ? 'quiet_hours' : 'now';
  return 'in_the_morning';
}

const partsOf = ({ content }: WaitingGroup): number =>
  countSegments(withFirstName(content, averageName)).parts;
