import { hourMs } from '@daylift/clock/durations';
import { withSampleName } from '@daylift/delivery/first-name';
import { countSegments } from '@daylift/delivery/segments';
import type { Content } from '../dispatches/content-choice.ts';
import type { ForecastText } from './forecast-texts.ts';
import type { Tally } from './forecasts.table.ts';

export const forecastHours = 48;

export interface Skip {
  key: string;
  user_id: string;
  due_at: Date;
}

export const emptyTally = (): Tally => ({
  hours: Array.from({ length: forecastHours }, () => ({ texts: 0, parts: 0 })),
  days: {},
});

export const startOfHour = (instant: Date): number =>
  Math.floor(instant.getTime() / hourMs) * hourMs;

/** End of the forecast period. */
export const endOfForecast = (now: Date): Date =>
  new Date(startOfHour(now) + forecastHours * hourMs);

export function countGoing(
  tally: Tally,
  { dispatch, at }: Extract<ForecastText, { is: 'going' }>,
  content: Content,
  now: Date,
): void {
  const hour = tally.hours[Math.floor((at.getTime() - startOfHour(now)) / hourMs)];
  // A text that waits for the morning may be sent after the last hour.
  if (hour === undefined) return;
  hour.texts += 1;
  hour.parts += partsOf(content.content);
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
