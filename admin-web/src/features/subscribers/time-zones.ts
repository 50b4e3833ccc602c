import { formatZone } from '@daylift/ui/formats';
import { listCurrentZones } from '@daylift/ui/time-zones';

const unitedStates = [
  { value: 'America/New_York', label: 'Eastern' },
  { value: 'America/Chicago', label: 'Central' },
  { value: 'America/Denver', label: 'Mountain' },
  { value: 'America/Los_Angeles', label: 'Pacific' },
  { value: 'America/Phoenix', label: 'Arizona' },
];
const first = new Set(unitedStates.map((zone) => zone.value));

/** Common zones first, then all others. */
export const zoneChoices = () => [
  { group: 'United States', items: unitedStates },
  {
    group: 'All time zones',
    items: listCurrentZones()
      .filter((zone) => !first.has(zone))
      .map((value) => ({ value, label: formatZone(value) })),
  },
];
