import type { Me } from '@daylift/contracts/accounts.http';
import { ReferralFiguresCard } from '../../features/referrals/ReferralFiguresCard.tsx';
import { ReferralLinkCard } from '../../features/referrals/ReferralLinkCard.tsx';
import classes from './CardColumn.module.css';

export const ReferralsTab = ({ user }: { user: Me }) => (
  <div className={classes.cards}>
    <ReferralLinkCard user={user} />
    <ReferralFiguresCard user={user} />
  </div>
);
