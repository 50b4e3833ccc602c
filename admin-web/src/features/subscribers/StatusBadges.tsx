import type { AdminUser } from '@daylift/contracts/accounts.http';
import { capitalized } from '@daylift/ui/formats';
import { Badge, SubscriptionStatusBadge, statusMeanings } from '@daylift/ui/StatusBadge';
import { Group, Text } from '@mantine/core';

/** Badges for everything that stops texts, besides the subscription. */
export const StatusBadges = ({ user }: { user: AdminUser }) => {
  const meaning = statusMeanings[user.subscription_status];
  return (
    <Group gap={6}>
      <SubscriptionStatusBadge
        status={user.subscription_status}
        activeLabel={capitalized(user.plan)}
      />
      {meaning ? (
        <Text span size="xs">
          {meaning}
        </Text>
      ) : null}
      {user.is_active ? null : <Badge tone="grey">Paused</Badge>}
      {user.delivery_enabled ? null : <Badge tone="grey">Delivery off</Badge>}
      {user.opted_out ? <Badge tone="red">Opted out</Badge> : null}
      {user.unreachable ? <Badge tone="red">Unreachable</Badge> : null}
      {user.consent === 'pending' && !user.unreachable ? (
        <Badge tone="yellow">Awaiting YES</Badge>
      ) : null}
    </Group>
  );
};
