import { useCatalogue } from '../../catalogue.ts';
import classes from './HowItWorks.module.css';

const steps = (days: number | undefined) => [
  { title: 'Choose your hour', text: 'Tell us your number, your time zone and when you wake up.' },
  {
    title: 'Start free',
    text: days
      ? `Our payment provider keeps your card safe and doesn't charge it for ${days} days.`
      : "Our payment provider keeps your card safe and doesn't charge it during the trial.",
  },
  { title: 'Wake up to it', text: 'Your first text arrives tomorrow, at the hour you chose.' },
];

export const HowItWorks = () => {
  const days = useCatalogue()?.trial_days;
  return (
    <div className={classes.how}>
      <h2 className={classes.title}>Set up in two minutes, then forget about it</h2>
      <ol className={classes.steps}>
        {steps(days).map((step, at) => (
          <li key={step.title} className={classes.step}>
            <span className={classes.number} aria-hidden="true">
              {at + 1}
            </span>
            <h3 className={classes.name}>{step.title}</h3>
            <p className={classes.text}>{step.text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
};
