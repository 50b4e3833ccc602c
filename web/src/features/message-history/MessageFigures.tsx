import type { Streak } from '@daylift/contracts/sms.http';
import { formatCount } from '@daylift/ui/formats';
import { Skeleton } from '@mantine/core';
import { IconCalendarWeek, IconFlame, IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import classes from './MessageFigures.module.css';
import { analyticsQuery } from './message-history.queries.ts';

const noStreak: Streak = { streak_days: 0, streak_unit: 'days' };

const figures: {
  field: 'total_messages' | 'week_messages' | 'streak_days';
  title: string;
  icon: typeof IconFlame;
  note: (streak: Streak) => string;
}[] = [
  {
    field: 'total_messages',
    title: 'Total Messages',
    icon: IconMessages,
    note: () => 'since you joined',
  },
  {
    field: 'week_messages',
    title: 'This Week',
    icon: IconCalendarWeek,
    note: () => 'Monday to Sunday',
  },
  {
    field: 'streak_days',
    title: 'Current Streak',
    icon: IconFlame,
    note: ({ streak_days, streak_unit }) =>
      `${streak_days === 1 ? streak_unit.slice(0, -1) : streak_unit} in a row`,
  },
];

/** All numbers are 0 until loaded. */
export const MessageFigures = () => {
  const { data, isPending, isError, isFetching, refetch } = useQuery(analyticsQuery);
  return (
    <div>
      <div className={classes.figures}>
        {figures.map(({ field, title, icon: Icon, note }) => (
          <section key={field} className={classes.figure} aria-label={title} aria-busy={isPending}>
            <Icon className={classes.icon} size={26} stroke={1.9} aria-hidden="true" />
            <h3 className={classes.title}>{title}</h3>
            <p className={classes.count}>
              {isPending ? (
                <Skeleton height="0.8em" width="1.6em" my="0.175em" radius="md" />
              ) : null}
              {isPending ? null : formatCount(data?.[field] ?? 0)}
            </p>
            <p className={classes.note}>{note(data ?? noStreak)}</p>
          </section>
        ))}
      </div>
      {isError && !data ? <QuietRetry busy={isFetching} onRetry={refetch} /> : null}
    </div>
  );
};
