import {
  IconBellOff,
  IconClock,
  IconHandStop,
  IconHeartHandshake,
  IconMessage2Heart,
  IconWorld,
} from '@tabler/icons-react';
import classes from './Benefits.module.css';

const benefits = [
  {
    icon: IconClock,
    title: 'At your hour',
    text: 'Pick any hour of the day. Your text arrives then, in your own time zone.',
  },
  {
    icon: IconMessage2Heart,
    title: 'Short enough to keep',
    text: 'Never more than one text long. You read it in ten seconds and carry it all day.',
  },
  {
    icon: IconBellOff,
    title: 'Nothing to install',
    text: 'No app, no account to check, no feed that wants you back. It is only a text.',
  },
  {
    icon: IconHeartHandshake,
    title: 'Kind, never pushy',
    text: 'No hustle slogans. Warm, honest words that meet you where you are this morning.',
  },
  {
    icon: IconWorld,
    title: 'Travels with you',
    text: 'Change your time zone in a moment. Daylight saving time is handled for you.',
  },
  {
    icon: IconHandStop,
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
    <ul className={classes.grid}>
      {benefits.map(({ icon: Icon, title, text }) => (
        <li key={title} className={classes.card}>
          <span className={classes.icon} aria-hidden="true">
            <Icon size={26} stroke={1.9} />
          </span>
          <h3 className={classes.name}>{title}</h3>
          <p className={classes.text}>{text}</p>
        </li>
      ))}
    </ul>
  </section>
);
