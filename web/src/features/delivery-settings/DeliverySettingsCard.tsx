import { describeError, explainError } from '@daylift/api-client/errors';
import type { Me } from '@daylift/contracts/accounts.http';
import { formatHour, formatWeekday, formatZone } from '@daylift/ui/formats';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { announce } from '../../components/announce.ts';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { Fact, FactList } from '../../components/FactList.tsx';
import { DeliverySettingsForm } from './DeliverySettingsForm.tsx';
import { useUpdateMe } from './delivery-settings.queries.ts';

const DeliverySwitch = ({ enabled }: { enabled: boolean }) => {
  const update = useUpdateMe();
  const toggle = () =>
    update.mutate(
      { delivery_enabled: !enabled },
      {
        onSuccess: () =>
          announce(`SMS delivery ${enabled ? 'disabled' : 'enabled'} successfully!`, 'good'),
        onError: (error) =>
          announce(
            describeError('toggle delivery', error),
            'bad',
            explainError('toggle delivery', error),
          ),
      },
    );
  return (
    <Group gap="md" justify="flex-end">
      <span>{enabled ? 'Enabled' : 'Disabled'}</span>
      <Button
        variant={enabled ? 'default' : 'filled'}
        aria-label={enabled ? 'Disable SMS delivery' : 'Enable SMS delivery'}
        loading={update.isPending}
        onClick={toggle}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Button>
    </Group>
  );
};

const frequencyOf = (user: Me): string => {
  if (user.delivery_frequency === 'daily') return 'Daily';
  return user.delivery_weekday === null
    ? 'Weekly'
    : `Weekly, on ${formatWeekday(user.delivery_weekday)}`;
};

const Settings = ({ user }: { user: Me }) => (
  <FactList>
    <Fact name="SMS delivery">
      <DeliverySwitch enabled={user.delivery_enabled} />
    </Fact>
    <Fact name="Phone">{user.phone}</Fact>
    <Fact name="Email">{user.email}</Fact>
    <Fact name="Timezone">{formatZone(user.timezone)}</Fact>
    <Fact name="Daily message time">{formatHour(user.delivery_time || '09:00')}</Fact>
    <Fact name="Frequency">{frequencyOf(user)}</Fact>
  </FactList>
);

export const DeliverySettingsCard = ({ user }: { user: Me }) => {
  const [editing, setEditing] = useState(false);
  return (
    <DashboardCard
      title="Profile & Delivery Settings"
      action={
        <Button variant="default" onClick={() => setEditing(!editing)}>
          {editing ? 'Cancel' : 'Edit'}
        </Button>
      }
    >
      {editing ? (
        <DeliverySettingsForm user={user} onSaved={() => setEditing(false)} />
      ) : (
        <Settings user={user} />
      )}
    </DashboardCard>
  );
};
