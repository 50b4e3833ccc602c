import type { Me } from '@daylift/contracts/accounts.http';
import { AccountSecurityCard } from '../../features/account-security/AccountSecurityCard.tsx';
import { DeliverySettingsCard } from '../../features/delivery-settings/DeliverySettingsCard.tsx';
import { OwnDataCard } from '../../features/own-data/OwnDataCard.tsx';
import { ConfirmEmailHint } from '../../features/proofs/ConfirmEmailHint.tsx';
import classes from './CardColumn.module.css';

export const SettingsTab = ({ user }: { user: Me }) => (
  <div className={classes.cards}>
    {user.pending_email === null ? null : <ConfirmEmailHint user={user} />}
    <DeliverySettingsCard user={user} />
    <AccountSecurityCard user={user} />
    <OwnDataCard />
  </div>
);
