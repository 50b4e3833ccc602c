import type { Me } from '@daylift/contracts/accounts.http';
import { Stack } from '@mantine/core';
import { AccountSecurityCard } from '../../features/account-security/AccountSecurityCard.tsx';
import { DeliverySettingsCard } from '../../features/delivery-settings/DeliverySettingsCard.tsx';
import { OwnDataCard } from '../../features/own-data/OwnDataCard.tsx';
import { ConfirmEmailHint } from '../../features/proofs/ConfirmEmailHint.tsx';
import classes from './CardColumn.module.css';

export const SettingsTab = ({ user }: { user: Me }) => (
  <Stack gap="md">
    {user.pending_email === null ? null : <ConfirmEmailHint user={user} />}
    <div className={classes.cards}>
      <DeliverySettingsCard user={user} />
      <AccountSecurityCard user={user} />
      <OwnDataCard />
    </div>
  </Stack>
);
