import { sendInstant } from '@daylift/delivery/send-instant';
import type { Figure } from './figure.ts';

const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Mexico_City',
];
const days = 200;

/** Measures send instants per second across zones, days and hours, compared with one Intl.DateTimeFormat call. */
export function measureSendInstants(): Figure {
  const measured = perSecond((zone, date, hour) => sendInstant(date, hour, zone));
  const baseline = perSecond((zone, date, hour) => {
    const guess = new Date(`${date}T${String(hour).padStart(2, '0')}:00:00Z`);
    return formatterOf(zone).formatToParts(guess);
  });
  return {
    what: 'send instants per second (baseline: one Intl.DateTimeFormat call)',
    ours: Math.round(measured).toLocaleString('en'),
    baseline: Math.round(baseline).toLocaleString('en'),
    ratio: measured / baseline,
    better: 'higher',
  };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const created = new Intl.DateTimeFormat('en', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  formatters.set(timeZone, created);
  return created;
}

function perSecond(work: (zone: string, date: string, hour: number) => unknown): number {
  const start = performance.now();
  let count = 0;
  for (const zone of zones) {
    let date = Temporal.PlainDate.from('2027-01-01');
    for (let day = 0; day < days; day += 1) {
      for (let hour = 0; hour < 24; hour += 1) {
        work(zone, date.toString(), hour);
        count += 1;
      }
      date = date.add({ days: 1 });
    }
  }
  return (count / (performance.now() - start)) * 1000;
}
