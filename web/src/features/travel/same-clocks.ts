/** A year of weeks, so that zones that part only for a summer are told apart. */
const weeks = 53;
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** What the clocks of a zone show over the year to come; null where the browser does not know the zone. */
const clocksOf = (zone: string, from: Date): string[] | null => {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    return Array.from({ length: weeks }, (_, week) =>
      format.format(new Date(from.getTime() + week * weekMs)),
    );
  } catch {
    return null;
  }
};

/**
 * Whether a text would come at the same moment in both zones. Two names of one zone are the same, and so are
 * neighbours that always agree; of a zone that nobody here knows nothing can be said.
 */
export const clocksDiffer = (one: string, other: string, from: Date): boolean => {
  if (one === other) return false;
  const [ours, theirs] = [clocksOf(one, from), clocksOf(other, from)];
  if (ours === null || theirs === null) return false;
  return ours.some((clock, week) => clock !== theirs[week]);
};
