import { dayPart, formatHour, fullHours } from '@daylift/ui/formats';
import { NativeSelect, type NativeSelectProps } from '@mantine/core';

const times = fullHours.map((value, hour) => ({ value, part: dayPart(hour) }));

const byDayPart = [...new Set(times.map((time) => time.part))].map((part) => ({
  group: part,
  items: times
    .filter((time) => time.part === part)
    .map(({ value }) => ({ value, label: formatHour(value) })),
}));

/** The 24 hours on a 12-hour clock, grouped by part of the day. */
export const DeliveryTimeSelect = (props: NativeSelectProps & { value?: string }) => (
  <NativeSelect {...props} data={[{ value: '', label: 'Select a time' }, ...byDayPart]} />
);
