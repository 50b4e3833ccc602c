type WeekLocale = Intl.Locale & { getWeekInfo?: () => { firstDay: number } };

/** Returns the ISO weekdays in the order of the visitor's calendar. */
export const weekdaysInOrder = (language = navigator.language): number[] => {
  const first = (new Intl.Locale(language || 'en') as WeekLocale).getWeekInfo?.().firstDay ?? 1;
  return Array.from({ length: 7 }, (_, at) => ((first - 1 + at) % 7) + 1);
};
