import type { Me } from '@daylift/contracts/accounts.http';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { useFocusBack } from '../../components/use-focus-back.ts';
import { DeliverySettingsForm } from './DeliverySettingsForm.tsx';
import { DeliverySettingsView } from './DeliverySettingsView.tsx';

export const DeliverySettingsCard = ({ user }: { user: Me }) => {
  const [editing, setEditing] = useState(false);
  const opener = useFocusBack(editing);
  return (
    <DashboardCard
      title="Profile & Delivery Settings"
      action={
        <Button ref={opener} variant="default" onClick={() => setEditing(!editing)}>
          {editing ? 'Cancel' : 'Edit'}
        </Button>
      }
    >
      {editing ? (
        <DeliverySettingsForm user={user} onSaved={() => setEditing(false)} />
      ) : (
        <DeliverySettingsView user={user} />
      )}
    </DashboardCard>
  );
};
