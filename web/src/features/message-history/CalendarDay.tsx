import type { Calendar } from '@daylift/contracts/sms.http';
import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconClock, IconFlame, IconX } from '@tabler/icons-react';
import classes from './TextCalendar.module.css';

type DayText = Calendar['days'][number];
export type DayMark = 'streak' | 'came' | 'failed' | 'coming';

/** Icon and text of each mark; color is only a hint. */
export const marks: Record<DayMark, { icon: typeof IconCheck; words: string }> = {
  streak: { icon: IconFlame, words: 'Text in your streak' },
  came: { icon: IconCheck, words: 'Text' },
  failed: { icon: IconX, words: "Text didn't arrive" },
  coming: { icon: IconClock, words: 'Text on its way' },
};

const markOf = ({ status, in_streak }: DayText): DayMark => {
  if (in_streak) return 'streak';
  if (status === 'sent' || status === 'delivered') return 'came';
  return status === 'failed' ? 'failed' : 'coming';
};

export const CalendarDay = ({
  date,
  text,
  isToday,
  hasCome,
  onOpen,
}: {
  date: string;
  text: DayText | undefined;
  isToday: boolean;
  /** Not in the future, so why it has no text can be explained. */
  hasCome: boolean;
  onOpen: (date: string) => void;
}) => {
  const mark = text ? markOf(text) : null;
  const Icon = mark ? marks[mark].icon : null;
  const content = (
    <>
      <span className={classes.number}>{Number(date.slice(8))}</span>
      {Icon ? <Icon className={classes.mark} size={14} stroke={2.4} aria-hidden="true" /> : null}
      <VisuallyHidden>
        {isToday ? ', today' : ''}
        {mark ? `, ${marks[mark].words}` : hasCome ? ', No text' : ''}
      </VisuallyHidden>
    </>
  );
  return (
    <td
      className={classes.day}
      data-mark={mark}
      data-today={isToday || undefined}
      aria-current={isToday ? 'date' : undefined}
    >
      {text || hasCome ? (
        <button type="button" className={classes.open} onClick={() => onOpen(date)}>
          {content}
        </button>
      ) : (
        content
      )}
    </td>
  );
};
