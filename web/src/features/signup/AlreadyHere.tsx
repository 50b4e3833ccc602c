import type { Me } from '@daylift/contracts/accounts.http';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { firstName } from '../../session/current-user.ts';
import classes from './SignupPage.module.css';

/** For someone who is signed in, a second signup would only end in a refusal. */
export const AlreadyHere = ({ user }: { user: Me | undefined }) => (
  <div className={classes.card}>
    <h2 className={classes.heading}>You are already with us{user ? `, ${firstName(user)}` : ''}</h2>
    <p>
      A free trial turns into the full plan by itself on the day that it ends. Your dashboard shows
      that day and everything about your subscription.
    </p>
    <div className={classes.actions}>
      <LinkButton look="call" href={paths.dashboard}>
        Go to Your Dashboard
      </LinkButton>
    </div>
  </div>
);
