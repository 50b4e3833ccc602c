import type { Me } from '@daylift/contracts/accounts.http';
import { Stack } from '@mantine/core';
import { ContactSupportCard } from '../../features/support/ContactSupportCard.tsx';
import { FaqCard } from '../../features/support/FaqCard.tsx';
import { OwnMessagesCard } from '../../features/support/OwnMessagesCard.tsx';
import classes from './CardColumn.module.css';

export const SupportTab = ({ user }: { user: Me }) => (
  <div className={classes.cards}>
    <Stack gap="md">
      <ContactSupportCard />
      <OwnMessagesCard timeZone={user.timezone} />
    </Stack>
    <FaqCard />
  </div>
);
