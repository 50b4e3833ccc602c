import type { AdminAnalytics } from '@daylift/contracts/gateway.http';
import { formatWholeDate, formatZoneCity } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Badge } from '@daylift/ui/StatusBadge';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconCalendarPlus, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ManualSendDialog } from '../../components/ManualSendDialog.tsx';
import { todaysMessage } from '../../components/manual-send.ts';
import { Section } from '../../components/Section.tsx';
import { ViewerNotice } from '../../components/ViewerNotice.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';
import { contentCalendarQuery, dailyTextsQuery } from '../../shared.queries.ts';
import { todayQuery } from './analytics.queries.ts';
import { cardDays, todaysProgress } from './business.ts';

type Today = AdminAnalytics['scheduled_messages']['todays_message'];

const NoMessage = () => (
  <Text>No message is scheduled for today. Subscribers get one from the template library.</Text>
);

const Message = ({ today }: { today: Today }) => {
  const daily = useQuery(contentCalendarQuery).data?.days.find(
    ({ date }) => date === today.date,
  )?.daily;
  return (
    <Stack gap={4}>
      <Text fw={700}>{today.title}</Text>
      {daily ? <Text>{daily.content}</Text> : null}
      <Group gap="sm">
        <Badge tone={today.is_sent ? 'green' : 'yellow'}>
          {today.is_sent ? 'Sent' : 'Pending'}
        </Badge>
        <Text c="dimmed">Sent at each subscriber's chosen hour</Text>
      </Group>
    </Stack>
  );
};

/** How far the day's texts have come. */
const DayProgress = ({ date }: { date: string }) => {
  const left = useQuery(todayQuery).data;
  const days = useQuery(dailyTextsQuery(cardDays)).data;
  if (left === undefined || days === undefined) return <TextSkeleton lines={1} />;
  const day = days.find((one) => one.date === date);
  const { sent, failed, total, words } = todaysProgress(day, left);
  return (
    <Stack gap={4}>
      <Text fw={700}>{words}</Text>
      {total === 0 ? null : (
        <Progress.Root size="md" aria-hidden>
          <Progress.Section value={(sent / total) * 100} color="green.6" />
          <Progress.Section value={(failed / total) * 100} color="red.6" />
        </Progress.Root>
      )}
    </Stack>
  );
};

export const TodaysMessageCard = ({ today }: { today: Today | undefined }) => {
  const [confirming, setConfirming] = useState(false);
  const may = useMay('operator');
  const zone = useQuery(todayQuery).data?.timezone;
  return (
    <Section title="Today's Message Status">
      {today === undefined ? (
        <TextSkeleton lines={3} />
      ) : (
        <Stack gap="md">
          <Text c="dimmed">
            {formatWholeDate(today.date)}
            {zone ? `, ${formatZoneCity(zone)} time` : ''}
          </Text>
          <Group justify="space-between">
            {today.exists ? <Message today={today} /> : <NoMessage />}
            {may && !today.exists ? (
              <Button
                component={Link}
                to={paths.messageFor(today.date)}
                leftSection={<IconCalendarPlus size={18} aria-hidden />}
              >
                Schedule Today's Message
              </Button>
            ) : null}
            {may && today.exists && !today.is_sent ? (
              <Button
                leftSection={<IconSend size={18} aria-hidden />}
                onClick={() => setConfirming(true)}
              >
                Send Now
              </Button>
            ) : null}
          </Group>
          <DayProgress date={today.date} />
        </Stack>
      )}
      <ViewerNotice />
      <ManualSendDialog
        send={confirming ? todaysMessage : null}
        onClose={() => setConfirming(false)}
      />
    </Section>
  );
};
