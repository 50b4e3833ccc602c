import type { Me } from '@daylift/contracts/accounts.http';
import { Button, Group } from '@mantine/core';
import { announce, announceFailure } from '../../components/announce.ts';
import { isDeliveryOn } from '../../session/current-user.ts';
import { useDeliveryState } from '../../session/pause.ts';
import { useToggleDelivery } from './delivery-settings.queries.ts';

/** After STOP, only a START text restores delivery, as the banner says. */
export const DeliverySwitch = ({ user }: { user: Me }) => {
  const toggle = useToggleDelivery((on) =>
    announce(`SMS delivery ${on ? 'enabled' : 'disabled'} successfully!`, 'good'),
  );
  const enabled = isDeliveryOn(user);
  const press = () =>
    toggle.mutate(!enabled, {
      onError: (error) => announceFailure('toggle delivery', error),
    });
  return (
    <Group gap="md" justify="flex-end">
      <span>{useDeliveryState(user)}</span>
      {user.opted_out ? null : (
        <Button
          variant={enabled ? 'default' : 'filled'}
          aria-label={enabled ? 'Disable SMS delivery' : 'Enable SMS delivery'}
          loading={toggle.isPending}
          onClick={press}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
      )}
    </Group>
  );
};
