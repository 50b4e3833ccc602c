/** 240 people across the product's twelve zones, all hours, daily and weekly, each with a story. */

export const zones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Australia/Sydney',
  'America/Toronto',
  'America/Mexico_City',
] as const;

export type Act =
  | { day: number; kind: 'reply'; text: string }
  | { day: number; kind: 'settings'; change: Partial<Settings> };

export interface Settings {
  timezone: string;
  hour: number;
  delivery_enabled: boolean;
}

export interface Person {
  index: number;
  name: string;
  email: string;
  phone: string;
  settings: Settings;
  frequency: 'daily' | 'weekly';
  plan: 'monthly' | 'yearly';
  consent: boolean;
  card: string | null;
  story: Act[];
}

const goodCard = '4242424242424242';
/** Can be attached, but every later charge fails, starting at the trial's end. */
const failingLater = '4000000000000341';

export function createPopulation(size: number): Person[] {
  return Array.from({ length: size }, (_unused, index) => createPerson(index));
}

function createPerson(index: number): Person {
  const timezone = zones[index % zones.length] ?? 'America/New_York';
  const round = Math.floor(index / zones.length);
  return {
    index,
    name: `Person ${index}`,
    email: `person-${index}@example.com`,
    phone: `+1415555${String(1000 + index)}`,
    // Twenty rounds over the zones; the shift per zone covers every hour.
    settings: { timezone, hour: (round + (index % zones.length) * 5) % 24, delivery_enabled: true },
    frequency: index % 5 === 3 ? 'weekly' : 'daily',
    plan: index % 7 === 2 ? 'yearly' : 'monthly',
    consent: index % 16 !== 6,
    card: index % 30 === 11 ? null : index % 20 === 9 ? failingLater : goodCard,
    story: actsFor(index),
  };
}

function actsFor(index: number): Act[] {
  if (index % 16 === 6) return index % 32 === 6 ? [{ day: 4, kind: 'reply', text: 'YES' }] : [];
  switch (index % 24) {
    case 1:
      return [
        { day: 3 + (index % 11), kind: 'reply', text: index % 48 === 1 ? 'STOP' : ' stop all. ' },
      ];
    case 5:
      return [
        { day: 5, kind: 'reply', text: 'Stop' },
        { day: 7, kind: 'reply', text: 'START' },
      ];
    case 3:
      // In the trial, so the subscription ends with it.
      return index % 48 === 3 ? [{ day: 0, kind: 'reply', text: 'STOP' }] : [];
    case 8:
      return [
        { day: 6, kind: 'settings', change: { delivery_enabled: false } },
        { day: 13, kind: 'settings', change: { delivery_enabled: true } },
      ];
    case 12:
      return [{ day: 7, kind: 'settings', change: { hour: (index * 7) % 24 } }];
    case 16:
      return [
        {
          day: 6,
          kind: 'settings',
          change: { timezone: zones[(index + 5) % zones.length] ?? 'Asia/Tokyo' },
        },
      ];
    case 20:
      return [
        { day: 4, kind: 'settings', change: { hour: 23 } },
        { day: 11, kind: 'settings', change: { timezone: 'Asia/Kolkata', hour: 6 } },
      ];
    default:
      return [];
  }
}
