import type { ScheduledMessage } from '@daylift/contracts/content.http';
import type { ContentDay } from '@daylift/contracts/scheduled-messages.http';
import { formatHour, formatLocalDate, formatMonthDay, formatWeekday } from '@daylift/ui/formats';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { deliveryStats, messageStatus } from '../message-words.ts';
import classes from './CalendarView.module.css';

/** Monday is 1. */
const weekdayOf = (date: string): number => new Date(`${date}T12:00:00Z`).getUTCDay() || 7;

const stateOf = (message: ScheduledMessage, date: string): string => {
  if (message.is_sent && date < message.scheduled_date)
    return `Sent early (scheduled for ${formatMonthDay(message.scheduled_date)})`;
  if (message.is_sent) return messageStatus(message).label;
  return message.total_recipients > 0 ? deliveryStats(message) : '';
};

const Message = ({
  message,
  date,
  mayChange,
  onEdit,
}: {
  message: ScheduledMessage;
  /** The day it is shown on. */
  date: string;
  mayChange: boolean;
  onEdit: (message: ScheduledMessage) => void;
}) => {
  const state = stateOf(message, date);
  const words = (
    <>
      {message.category === 'announcement' ? (
        <span className={classes.kind}>{formatHour(message.scheduled_time)} announcement</span>
      ) : null}
      <span className={classes.title}>{message.title}</span>
      {state ? <span className={classes.state}>{state}</span> : null}
    </>
  );
  const kind = message.category === 'announcement' ? 'announcement' : 'daily';
  return message.is_sent || !mayChange ? (
    <div className={classes.message} data-kind={kind}>
      {words}
    </div>
  ) : (
    <UnstyledButton className={classes.message} data-kind={kind} onClick={() => onEdit(message)}>
      <VisuallyHidden>Edit: </VisuallyHidden>
      {words}
    </UnstyledButton>
  );
};

const Empty = ({
  day: { date, sent_early },
  mayChange,
}: {
  day: ContentDay;
  mayChange: boolean;
}) => {
  const words = sent_early.some((one) => one.category === 'daily_motivation')
    ? 'Everyone else: from the library'
    : 'From the library';
  return mayChange ? (
    <Link
      className={classes.empty}
      to={paths.messageFor(date)}
      aria-label={`${words}. Schedule a message for ${formatLocalDate(date)}`}
    >
      {words}
    </Link>
  ) : (
    <span className={classes.empty}>{words}</span>
  );
};

/** A calendar day with its daily message and announcements. */
export const CalendarDay = ({
  day,
  isToday,
  mayChange,
  onEdit,
}: {
  day: ContentDay;
  isToday: boolean;
  mayChange: boolean;
  onEdit: (message: ScheduledMessage) => void;
}) => {
  const weekday = weekdayOf(day.date);
  const show = (message: ScheduledMessage) => (
    <Message
      key={message.id}
      message={message}
      date={day.date}
      mayChange={mayChange}
      onEdit={onEdit}
    />
  );
  return (
    <li
      className={classes.day}
      style={{ '--weekday': weekday } as CSSProperties}
      aria-current={isToday ? 'date' : undefined}
    >
      <span className={classes.date}>
        <span className={classes.weekday}>{formatWeekday(weekday).slice(0, 3)} </span>
        <span className={classes.dayOfMonth}>{Number(day.date.slice(8))}</span>
        <span className={classes.monthDay}>{formatMonthDay(day.date)}</span>
        {isToday ? <span className={classes.today}> Today</span> : null}
      </span>
      <div className={classes.content}>
        {day.sent_early.map(show)}
        {day.daily ? show(day.daily) : <Empty day={day} mayChange={mayChange} />}
        {day.announcements.map(show)}
      </div>
    </li>
  );
};
