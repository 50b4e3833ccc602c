import type { AdminUser } from '@daylift/contracts/accounts.http';
import { Badge, SubscriptionStatusBadge } from '@daylift/ui/StatusBadge';
import { Group } from '@mantine/core';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Badges for everything that stops texts, besides the subscription. */
export const StatusBadges = ({ user }: { user: AdminUser }) => (
  <Group gap={6}>
    <SubscriptionStatusBadge
      status={user.subscription_status}
      activeLabel={capitalized(user.plan)}
    />
    {user.is_active ? null : <Badge tone="grey">Paused</Badge>}
    {user.delivery_enabled ? null : <Badge tone="grey">Delivery off</Badge>}
    {user.opted_out ? <Badge tone="red">Opted out</Badge> : null}
    {user.consent === 'pending' ? <Badge tone="yellow">Awaiting YES</Badge> : null}
  </Group>
);
