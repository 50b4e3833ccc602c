import { type DayMark, marks } from './CalendarDay.tsx';
import classes from './TextCalendar.module.css';

const order: DayMark[] = ['streak', 'came', 'coming', 'failed'];

export const CalendarLegend = () => (
  <ul className={classes.legend} aria-label="What the marks mean">
    {order.map((mark) => {
      const { icon: Icon, words } = marks[mark];
      return (
        <li key={mark}>
          <span className={classes.sample} data-mark={mark} aria-hidden="true">
            <Icon size={14} stroke={2.4} />
          </span>
          {words}
        </li>
      );
    })}
    <li>
      <span className={classes.sample} data-today aria-hidden="true" />
      Today
    </li>
  </ul>
);
