import { formatHour } from '@daylift/ui/formats';
import { useSyncExternalStore } from 'react';
import { useCatalogue } from '../../catalogue.ts';
import { threadTexts } from './library-texts.ts';
import classes from './PhoneThread.module.css';

const days = ['Two days ago', 'Yesterday', 'Today'] as const;
const neverChanges = () => () => undefined;
const readHour = () => new Date().getHours();

/** Returns the visitor's current hour, or 7 AM while prerendering. */
const useHour = (): string => {
  const hour = useSyncExternalStore(neverChanges, readHour, () => 7);
  return formatHour(`${String(hour).padStart(2, '0')}:00`);
};

/** Three days of texts as they look on a phone. */
export const PhoneThread = () => {
  const name = useCatalogue()?.product_name ?? 'Your texts';
  const hour = useHour();
  return (
    <figure className={classes.phone} aria-label="Three texts on a phone">
      <figcaption className={classes.sender}>
        <span className={classes.initial} aria-hidden="true">
          {name.charAt(0)}
        </span>
        {name}
      </figcaption>
      <ol className={classes.thread}>
        {days.map((day, at) => (
          <li key={day}>
            <p className={classes.time}>
              {day}, {hour}
            </p>
            <p className={classes.bubble}>{threadTexts[at]}</p>
          </li>
        ))}
      </ol>
    </figure>
  );
};
