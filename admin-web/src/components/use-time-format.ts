import {
  formatDay,
  formatExactInstant,
  formatInstant,
  formatTimeInZone,
} from '@daylift/ui/formats';
import { useQuery } from '@tanstack/react-query';
import { adminQuery } from '../session/use-admin.ts';

/** Formats instants in the given time zone, or in the operators'. */
export const useTimeFormat = (given?: string) => {
  const { data } = useQuery(adminQuery);
  const operators = data?.timezone;
  const zone = given ?? operators;
  const now = data?.now ?? new Date().toISOString();
  return {
    zone,
    short: (instant: string) => formatInstant(instant, now, zone),
    timeOnly: (instant: string) => formatTimeInZone(instant, zone),
    dayOnly: (instant: string) => formatDay(instant, zone),
    /** With the operators' time if theirs is another one. */
    exact: (instant: string) => {
      const [inZone, inOperatorZone] = [zone, operators].map((one) =>
        formatExactInstant(instant, one),
      );
      return inZone === inOperatorZone ? inZone : `${inZone} (${inOperatorZone})`;
    },
  };
};
