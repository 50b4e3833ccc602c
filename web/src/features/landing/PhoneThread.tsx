import { useCatalogue } from '../../catalogue.ts';
import { threadTexts } from './library-texts.ts';
import classes from './PhoneThread.module.css';

const days = ['Two days ago', 'Yesterday', 'Today'] as const;
/** Three days of texts as they look on a phone. */
export const PhoneThread = () => {
  const name = useCatalogue()?.product_name ?? 'Your texts';
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
            <p className={classes.time}>{day}, 7:00 AM</p>
            <p className={classes.bubble}>{threadTexts[at]}</p>
          </li>
        ))}
      </ol>
    </figure>
  );
};
