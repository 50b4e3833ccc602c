import { formatZone } from '@daylift/ui/formats';
import { currentZoneName, listCurrentZones } from '@daylift/ui/time-zones';

/** Common zones first, then all others. */
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

/** Returns the browser's time zone, or '' if the browser hides it. */
export const guessZone = (): string => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone?.includes('/') && !zone.startsWith('Etc/') ? currentZoneName(zone) : '';
};

interface Choice {
  value: string;
  label: string;
}

/** Returns all zones in groups, including `chosen` even if the browser doesn't know it. */
export const listZones = (chosen: string): { group: string; items: Choice[] }[] => {
  const common = commonZones.map(([value, label]) => ({ value, label }));
  const first = new Set(common.map((choice) => choice.value as string));
  const others = new Set(listCurrentZones());
  if (chosen !== '') others.add(chosen);
  return [
    { group: 'Common time zones', items: common },
    {
      group: 'All time zones',
      items: [...others]
        .filter((zone) => !first.has(zone))
        .sort()
        .map((zone) => ({ value: zone, label: formatZone(zone) })),
    },
  ];
};
