import type { ContentDay } from '@daylift/contracts/scheduled-messages.http';

const isFromLibrary = ({ daily, announcements, sent_early }: ContentDay): boolean =>
  daily === null && announcements.length === 0 && sent_early.length === 0;

/** Shorter runs stay as they are. */
const minRun = 3;

/** Groups consecutive days that use the library. Every other day is its own group. */
export function groupDays(days: ContentDay[]): ContentDay[][] {
  const groups: ContentDay[][] = [];
  for (const day of days) {
    const before = groups.at(-1)?.at(-1);
    if (before && isFromLibrary(before) && isFromLibrary(day)) groups.at(-1)?.push(day);
    else groups.push([day]);
  }
  return groups.flatMap((group) => (group.length < minRun ? group.map((day) => [day]) : [group]));
}
