import type { ScheduledMessage } from '@daylift/contracts/content.http';
import type { ContentCalendar } from '@daylift/contracts/scheduled-messages.http';
import { formatMonth } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Alert, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../../components/counted.ts';
import { Section } from '../../../components/Section.tsx';
import { useMay } from '../../../session/use-admin.ts';
import { contentCalendarQuery } from '../../../shared.queries.ts';
import { EditMessageDialog } from '../EditMessageDialog.tsx';
import { CalendarDay } from './CalendarDay.tsx';
import classes from './CalendarView.module.css';

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

const monthsOf = ({ days }: ContentCalendar): string[] => [
  ...new Set(days.map((day) => day.date.slice(0, 7))),
];

/** The next 60 days with their messages; other days use the library. */
export const CalendarView = () => {
  const may = useMay('operator');
  const [editing, setEditing] = useState<ScheduledMessage | null>(null);
  const query = useQuery(contentCalendarQuery);
  return (
    <QueryView query={query} lines={8}>
      {(data) => (
        <Section title="Next 60 Days">
          <Stack gap="lg">
            <LibraryNote calendar={data} />
            {monthsOf(data).map((month) => (
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
                  {data.days
                    .filter((day) => day.date.startsWith(month))
                    .map((day) => (
                      <CalendarDay
                        key={day.date}
                        day={day}
                        isToday={day === data.days[0]}
                        mayChange={may}
                        onEdit={setEditing}
                      />
                    ))}
                </ol>
              </div>
            ))}
          </Stack>
          <EditMessageDialog message={editing} onClose={() => setEditing(null)} />
        </Section>
      )}
    </QueryView>
  );
};
