import { formatZone } from '@daylift/ui/formats';

/** The zones that most subscribers live in come first; every other zone of the world follows. */
const commonZones = [
  ['America/New_York', 'New York'],
  ['America/Chicago', 'Chicago'],
  ['America/Denver', 'Denver'],
  ['America/Los_Angeles', 'Los Angeles'],
  ['Europe/London', 'London'],
  ['Europe/Paris', 'Paris'],
  ['Europe/Berlin', 'Berlin'],
  ['Asia/Tokyo', 'Tokyo'],
  ['Asia/Shanghai', 'Shanghai'],
  ['Australia/Sydney', 'Sydney'],
  ['America/Toronto', 'Toronto'],
  ['America/Mexico_City', 'Mexico City'],
] as const;

/** The zone that this browser lives in; empty when it does not tell, as some do to keep their owner's secret. */
export const guessZone = (): string => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone?.includes('/') && !zone.startsWith('Etc/') ? zone : '';
};

interface Choice {
  value: string;
  label: string;
}

/** All zones as a grouped list. `chosen` is in it even where the browser does not know it. */
export const listZones = (chosen: string): { group: string; items: Choice[] }[] => {
  const common = commonZones.map(([value, label]) => ({ value, label }));
  const first = new Set(common.map((choice) => choice.value as string));
  const others = new Set(Intl.supportedValuesOf('timeZone'));
  if (chosen !== '') others.add(chosen);
  return [
    { group: 'Most chosen', items: common },
    {
      group: 'All time zones',
      items: [...others]
        .filter((zone) => !first.has(zone))
        .sort()
        .map((zone) => ({ value: zone, label: formatZone(zone) })),
    },
  ];
};
