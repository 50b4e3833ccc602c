/** Sampled weekly for a year, to detect different daylight saving rules. */
const weeks = 53;
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Returns the local times of a zone over the next year, or null for an unknown zone. */
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

/** Returns whether the zones' local times ever differ. An unknown zone counts as the same as any other. */
export const clocksDiffer = (one: string, other: string, from: Date): boolean => {
  if (one === other) return false;
  const [clocks, otherClocks] = [clocksOf(one, from), clocksOf(other, from)];
  if (clocks === null || otherClocks === null) return false;
  return clocks.some((clock, week) => clock !== otherClocks[week]);
};
