import type { ScheduledMessage } from '@daylift/contracts/content.http';
import type { ContentCalendar, ContentDay } from '@daylift/contracts/scheduled-messages.http';
import { formatMonth } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Alert, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { counted } from '../../../components/counted.ts';
import { Section } from '../../../components/Section.tsx';
import { useMay } from '../../../session/use-admin.ts';
import { contentCalendarQuery } from '../../../shared.queries.ts';
import { EditMessageDialog } from '../EditMessageDialog.tsx';
import { CalendarDay } from './CalendarDay.tsx';
import classes from './CalendarView.module.css';
import { DayRun } from './DayRun.tsx';
import { groupDays } from './day-runs.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const LibraryNote = ({ calendar: { days, library } }: { calendar: ContentCalendar }) => {
  const empty = library.days_without_message;
  const words = `${empty} of the next ${days.length} days ${empty === 1 ? 'has' : 'have'} no message and will use the library, which has ${counted(library.active, 'active message', 'active messages')}`;
  return library.is_enough ? (
    <Text>{words}. That's enough to avoid repeats in this period.</Text>
  ) : (
    <Alert color="yellow" title="Not enough library messages">
      {words}. Subscribers would get repeats, or no text if the library is empty. Add library
      messages or schedule more.
    </Alert>
  );
};

const monthsOf = (days: ContentDay[]): string[] => [
  ...new Set(days.map((day) => day.date.slice(0, 7))),
];

type ShowDay = (day: ContentDay) => ReactNode;

const Months = ({ days, showDay }: { days: ContentDay[]; showDay: ShowDay }) =>
  monthsOf(days).map((month) => (
    <div key={month}>
      <Title order={3} fz="1rem" mb="xs">
        {formatMonth(month)}
      </Title>
      <div className={classes.weekdays} aria-hidden="true">
        {weekdays.map((weekday) => (
          <span key={weekday}>{weekday}</span>
        ))}
      </div>
      <ol className={classes.days}>
        {days.filter((day) => day.date.startsWith(month)).map(showDay)}
      </ol>
    </div>
  ));

const DayList = ({ days, showDay }: { days: ContentDay[]; showDay: ShowDay }) => (
  <ol className={classes.days}>
    {groupDays(days).map((group) => {
      const [first, last] = [group[0], group.at(-1)];
      if (first === undefined || last === undefined || first === last) return group.map(showDay);
      return (
        <DayRun key={first.date} first={first.date} last={last.date}>
          {group.map(showDay)}
        </DayRun>
      );
    })}
  </ol>
);

/** The next 60 days with their messages; other days use the library. */
export const CalendarView = () => {
  const may = useMay('operator');
  const hasGrid = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const [editing, setEditing] = useState<ScheduledMessage | null>(null);
  const query = useQuery(contentCalendarQuery);
  const Days = hasGrid ? Months : DayList;
  return (
    <QueryView query={query} lines={8}>
      {(data) => (
        <Section title="Next 60 Days">
          <Stack gap="lg">
            <LibraryNote calendar={data} />
            <Days
              days={data.days}
              showDay={(day) => (
                <CalendarDay
                  key={day.date}
                  day={day}
                  isToday={day === data.days[0]}
                  mayChange={may}
                  onEdit={setEditing}
                />
              )}
            />
          </Stack>
          <EditMessageDialog message={editing} onClose={() => setEditing(null)} />
        </Section>
      )}
    </QueryView>
  );
};
