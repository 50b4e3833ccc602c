import type { InboxItem } from '@daylift/contracts/inbox.http';
import { Badge } from '@daylift/ui/StatusBadge';
import { Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Time } from '../../components/Time.tsx';
import classes from './Inbox.module.css';
import { flagWords, kindNames, senderOf } from './words.ts';

export const InboxItemLink = ({
  item,
  to,
  current,
}: {
  item: InboxItem;
  to: string;
  current: boolean;
}) => (
  <Link to={to} className={classes.item} aria-current={current ? 'true' : undefined}>
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text component="span" fw={800} truncate>
        {senderOf(item)}
      </Text>
      <Badge tone="sky">{kindNames[item.kind]}</Badge>
    </Group>
    {item.kind === 'reply' ? null : (
      <Text component="span" fw={600} display="block" truncate>
        {item.subject}
      </Text>
    )}
    <Text component="span" c="dimmed" fz="sm" lineClamp={2}>
      {item.preview}
    </Text>
    <Group gap={6} mt={4}>
      <Text component="span" c="dimmed" fz="sm">
        <Time at={item.last_at} />
      </Text>
      {item.needs_review ? <Badge tone="yellow">Possible STOP: review</Badge> : null}
      {item.flags.map((flag) => (
        <Badge key={flag} tone={flagWords[flag].tone}>
          {flagWords[flag].label}
        </Badge>
      ))}
      {item.assignee ? <Badge tone="grey">{`For ${item.assignee.username}`}</Badge> : null}
      {item.answered_at !== null && item.answered_at >= item.last_at ? (
        <Badge tone="green">Replied</Badge>
      ) : null}
    </Group>
  </Link>
);
