import classes from './Benefits.module.css';
import { PhoneThread } from './PhoneThread.tsx';

const benefits = [
  {
    title: 'At your hour',
    text: 'Pick any hour of the day. Your text arrives then, in your own time zone.',
  },
  {
    title: 'Short enough to keep',
    text: 'Never more than one text long. You read it in ten seconds and carry it all day.',
  },
  {
    title: 'Nothing to install',
    text: "No app, no account to check, no feed that wants you back. It's just a text.",
  },
  {
    title: 'Kind, never pushy',
    text: 'No hustle slogans. Warm, honest words that meet you where you are this morning.',
  },
  {
    title: 'Travels with you',
    text: 'Change your time zone in a moment. Daylight saving time is handled for you.',
  },
  {
    title: 'Easy to stop',
    text: 'Reply STOP and it stops at once. Canceling takes no more clicks than signing up.',
  },
] as const;

export const Benefits = () => (
  <section id="benefits" className={classes.section} aria-labelledby="benefits-title">
    <h2 id="benefits-title" className={classes.title}>
      Ten quiet seconds that change the next ten hours
    </h2>
    <p className={classes.lead}>
      Most of the day asks something of you. This is the one message that doesn't.
    </p>
    <div className={classes.columns}>
      <PhoneThread />
      <ul className={classes.list}>
        {benefits.map(({ title, text }) => (
          <li key={title}>
            <h3 className={classes.name}>{title}</h3>
            <p className={classes.text}>{text}</p>
          </li>
        ))}
      </ul>
    </div>
  </section>
);
