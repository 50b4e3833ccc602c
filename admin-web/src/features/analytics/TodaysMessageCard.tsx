import type { AdminAnalytics } from '@daylift/contracts/gateway.http';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Badge } from '@daylift/ui/StatusBadge';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCalendarPlus, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ManualSendDialog } from '../../components/ManualSendDialog.tsx';
import { todaysMessage } from '../../components/manual-send.ts';
import { Section } from '../../components/Section.tsx';
import { ViewerNotice } from '../../components/ViewerNotice.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';

type Today = AdminAnalytics['scheduled_messages']['todays_message'];

const NoMessage = ({ date, may }: { date: string; may: boolean }) => (
  <Group justify="space-between">
    <Text>No message is scheduled for today. Subscribers get one from the template library.</Text>
    {may ? (
      <Button
        component={Link}
        to={paths.messageFor(date)}
        leftSection={<IconCalendarPlus size={18} aria-hidden />}
      >
        Schedule Today's Message
      </Button>
    ) : null}
  </Group>
);

export const TodaysMessageCard = ({ today }: { today: Today | undefined }) => {
  const [asking, setAsking] = useState(false);
  const may = useMay('operator');
  return (
    <Section title="Today's Message Status">
      {today === undefined ? <TextSkeleton lines={2} /> : null}
      {today?.exists === false ? <NoMessage date={today.date} may={may} /> : null}
      {today?.exists ? (
        <Group justify="space-between">
          <Stack gap={4}>
            <Text fw={700}>{today.title}</Text>
            <Group gap="sm">
              <Badge tone={today.is_sent ? 'green' : 'yellow'}>
                {today.is_sent ? 'Sent' : 'Pending'}
              </Badge>
              <Text c="dimmed">Sent at each subscriber's chosen hour</Text>
            </Group>
          </Stack>
          {today.is_sent || !may ? null : (
            <Button
              leftSection={<IconSend size={18} aria-hidden />}
              onClick={() => setAsking(true)}
            >
              Send Now
            </Button>
          )}
        </Group>
      ) : null}
      <ViewerNotice />
      <ManualSendDialog send={asking ? todaysMessage : null} onClose={() => setAsking(false)} />
    </Section>
  );
};
