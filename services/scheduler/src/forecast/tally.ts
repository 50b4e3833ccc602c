import { hourMs } from '@daylift/clock/durations';
import type { ForecastSender, SenderLoad } from '@daylift/contracts/senders.http';
import { chooseSender } from '@daylift/delivery/choose-sender';
import { withSampleName } from '@daylift/delivery/first-name';
import { countSegments } from '@daylift/delivery/segments';
import type { Content } from '../dispatches/content-choice.ts';
import { addToWave, noSender } from './drain.ts';
import type { ForecastText } from './forecast-texts.ts';
import type { Tally } from './forecasts.table.ts';
import { forecastHours, startOfHour } from './hours.ts';

export interface Skip {
  key: string;
  user_id: string;
  due_at: Date;
}

export const emptyTally = (): Tally => ({
  hours: Array.from({ length: forecastHours }, () => ({
    texts: 0,
    parts: 0,
    senders: new Map(),
  })),
  waves: new Map(),
  days: {},
  pool: { account_per_second: 0, senders: [] },
});

const capacityOf = ({ per_hour }: ForecastSender) => per_hour;

export type Going = Extract<ForecastText, { is: 'going' }>;

export function countGoing(
  tally: Tally,
  { dispatch, at, closes }: Going,
  { content, load, now }: { content: Content; load: SenderLoad; now: Date },
): void {
  const hour = tally.hours[Math.floor((at.getTime() - startOfHour(now)) / hourMs)];
  // A text that waits for the morning may be sent after the last hour.
  if (hour === undefined) return;
  hour.texts += 1;
  hour.parts += partsOf(content.content);
  const known = load.subscribers[dispatch.user_id];
  const number =
    known?.number ??
    chooseSender(load.senders, known?.country ?? null, hour.senders, capacityOf)?.number ??
    noSender;
  hour.senders.set(number, (hour.senders.get(number) ?? 0) + 1);
  addToWave(tally.waves, { sender: number, at, due: at > now ? at : dispatch.due_at, closes, now });
  if (dispatch.kind !== 'daily') return;
  tally.days[dispatch.local_date] ??= { people: 0, from_library: 0 };
  const day = tally.days[dispatch.local_date]!;
  day.people += 1;
  if (content.template_id !== null && content.sequence_day === undefined) day.from_library += 1;
}

export const skipOf = ({
  dispatch,
  state,
  reason,
}: Omit<Extract<ForecastText, { is: 'ended' }>, 'is'>): Skip => ({
  key: `${state}:${reason}`,
  user_id: dispatch.user_id,
  due_at: dispatch.due_at,
});

const known = new Map<string, number>();

/** Cached: few contents go to very many subscribers. */
function partsOf(content: string): number {
  const before = known.get(content);
  if (before !== undefined) return before;
  if (known.size > 1_000) known.clear();
  const { parts } = countSegments(withSampleName(content));
  known.set(content, parts);
  return parts;
}
