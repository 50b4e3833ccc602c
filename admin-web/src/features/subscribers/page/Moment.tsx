import { formatDay, formatTime } from '@daylift/ui/formats';
import { Text } from '@mantine/core';

/** A time in the subscriber's zone, and in the operator's if that differs. */
export const Moment = ({
  at,
  timezone,
  withDay = false,
}: {
  at: string;
  timezone: string;
  withDay?: boolean;
}) => {
  const show = (zone?: string) =>
    `${withDay ? `${formatDay(at, zone)}, ` : ''}${formatTime(at, zone)}`;
  const sameClock =
    formatTime(at, timezone) === formatTime(at) && formatDay(at, timezone) === formatDay(at);
  return (
    <time dateTime={at}>
      {show(timezone)}
      {sameClock ? null : (
        <Text component="span" c="dimmed" fz="sm">
          {' '}
          ({show()} your time)
        </Text>
      )}
    </time>
  );
};
