import type { Calendar } from '@daylift/contracts/sms.http';
import { formatCount, formatMonth, formatWeekday } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Button, Skeleton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { weekdaysInOrder } from '../../components/weekdays.ts';
import { CalendarDay } from './CalendarDay.tsx';
import { CalendarLegend } from './CalendarLegend.tsx';
import { DayTextDialog } from './DayTextDialog.tsx';
import { calendarQuery } from './message-history.queries.ts';
import { monthFrom, weeksOf } from './month-grid.ts';
import classes from './TextCalendar.module.css';

const MonthTable = ({
  calendar,
  onOpen,
}: {
  calendar: Calendar;
  onOpen: (date: string) => void;
}) => {
  const byDate = new Map(calendar.days.map((day) => [day.date, day]));
  const order = weekdaysInOrder();
  const weekdays = order.map(formatWeekday);
  return (
    <table className={classes.month}>
      <caption className={classes.caption}>Texts in {formatMonth(calendar.month)}</caption>
      <thead>
        <tr>
          {weekdays.map((weekday) => (
            <th key={weekday} scope="col" abbr={weekday}>
              {weekday.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(calendar.month, order[0] ?? 1).map((week, at) => (
          <tr key={week.find((day) => day !== null) ?? at}>
            {week.map((date, weekday) =>
              date === null ? (
                <td key={weekdays[weekday]} />
              ) : (
                <CalendarDay
                  key={date}
                  date={date}
                  text={byDate.get(date)}
                  isToday={date === calendar.today}
                  hasCome={date <= calendar.today}
                  onOpen={onOpen}
                />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** `present` is the current month's calendar, which has the earliest month. */
const MonthSteps = ({
  month,
  present,
  onChoose,
}: {
  month: string;
  present: Calendar;
  onChoose: (month: string | null) => void;
}) => {
  const first = present.first_month ?? present.month;
  const step = (count: number) => {
    const next = monthFrom(month, count);
    onChoose(next === present.month ? null : next);
  };
  return (
    <div className={classes.steps}>
      <Button
        variant="default"
        px="sm"
        aria-label="Previous month"
        disabled={month <= first}
        onClick={() => step(-1)}
      >
        <IconChevronLeft size={20} aria-hidden="true" />
      </Button>
      <p className={classes.name} aria-live="polite">
        {formatMonth(month)}
      </p>
      <Button
        variant="default"
        px="sm"
        aria-label="Next month"
        disabled={month >= present.month}
        onClick={() => step(1)}
      >
        <IconChevronRight size={20} aria-hidden="true" />
      </Button>
    </div>
  );
};

const streakInWords = ({ streak_days: count, streak_unit: unit }: Calendar): string => {
  if (count === 0) return 'Your streak begins with your next text.';
  return count === 1
    ? `Your streak: 1 ${unit.slice(0, -1)}.`
    : `Your streak: ${formatCount(count)} ${unit} in a row.`;
};

/** Monthly calendar with the current streak. Texts open from their day. */
export const TextCalendar = () => {
  const [month, setMonth] = useState<string | null>(null);
  const [day, setDay] = useState({ date: '', opened: false });
  const { data: present } = useQuery(calendarQuery(null));
  const query = useQuery(calendarQuery(month));
  return (
    <DashboardCard title="Your Days">
      {present ? (
        <MonthSteps
          month={query.data?.month ?? month ?? present.month}
          present={present}
          onChoose={setMonth}
        />
      ) : null}
      <QueryView query={query} loading={<Skeleton height={340} radius="md" />}>
        {(data) => (
          <div aria-busy={query.isPlaceholderData}>
            <MonthTable calendar={data} onOpen={(date) => setDay({ date, opened: true })} />
            <CalendarLegend />
            <p className={classes.streak}>{streakInWords(data)}</p>
          </div>
        )}
      </QueryView>
      {day.date === '' ? null : (
        <DayTextDialog {...day} onClose={() => setDay({ ...day, opened: false })} />
      )}
    </DashboardCard>
  );
};
