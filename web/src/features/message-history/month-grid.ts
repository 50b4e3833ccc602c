/** Returns the weeks of a month (`2027-03`), starting on an ISO weekday, padded with null. */
export const weeksOf = (month: string, firstDay: number): (string | null)[][] => {
  const [year = 1970, monthNumber = 1] = month.split('-').map(Number);
  const days = new Date(Date.UTC(year, monthNumber, 0)).getUTCDate();
  const lead = (new Date(Date.UTC(year, monthNumber - 1, 1)).getUTCDay() - firstDay + 7) % 7;
  return Array.from({ length: Math.ceil((lead + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const day = week * 7 + weekday - lead + 1;
      return day < 1 || day > days ? null : `${month}-${String(day).padStart(2, '0')}`;
    }),
  );
};

/** Returns the month `count` months away. */
export const monthFrom = (month: string, count: number): string => {
  const [year = 1970, monthNumber = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, monthNumber - 1 + count, 15)).toISOString().slice(0, 7);
};
