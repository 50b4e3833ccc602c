import type { Me } from '@daylift/contracts/accounts.http';
import { DeliverySettingsCard } from '../../features/delivery-settings/DeliverySettingsCard.tsx';
import classes from './SettingsTab.module.css';

/** What one may change of oneself. */
export const SettingsTab = ({ user }: { user: Me }) => (
  <div className={classes.settings}>
    <DeliverySettingsCard user={user} />
  </div>
);
