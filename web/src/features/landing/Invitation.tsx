import { trialLabel, useCatalogue } from '../../catalogue.ts';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import classes from './Invitation.module.css';

/** Closing call to action. */
export const Invitation = () => (
  <section className={classes.section} aria-labelledby="invitation-title">
    <div className={classes.card}>
      <h2 id="invitation-title" className={classes.title}>
        Tomorrow morning could start differently
      </h2>
      <p className={classes.text}>Two minutes now, one good text tomorrow.</p>
      <LinkButton look="call" size="large" href={paths.signup} className={classes.call}>
        {trialLabel(useCatalogue())}
      </LinkButton>
    </div>
  </section>
);
