import type { Forecast, ForecastSenderHour } from '@daylift/contracts/forecast.http';
import { formatCount } from '@daylift/ui/formats';
import { Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { counted } from '../../components/counted.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { inTime } from '../../components/durations.ts';
import { Section } from '../../components/Section.tsx';
import { Time } from '../../components/Time.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';

type Full = ForecastSenderHour & { starts_at: string };

const columns: Column<Full>[] = [
  { header: 'Hour', cell: (full) => <Time at={full.starts_at} /> },
  { header: 'Sender', cell: (full) => full.number ?? 'No active sender' },
  { header: 'Texts', cell: (full) => formatCount(full.texts), numeric: true },
  { header: 'Limit per hour', cell: (full) => formatCount(full.per_hour), numeric: true },
  { header: 'Time to send', cell: (full) => inTime(full.drain_seconds), numeric: true },
  { header: 'Late', cell: (full) => formatCount(full.late), numeric: true },
  { header: 'Missed', cell: (full) => formatCount(full.missed), numeric: true },
];

/** Hours with more texts than their senders can send in time. Renders nothing if there are none. */
export const OverCapacity = ({ forecast: { hours, rate_per_second } }: { forecast: Forecast }) => {
  const may = useMay('operator');
  const full = hours.flatMap(({ starts_at, senders = [] }) =>
    senders
      .filter(({ late, missed }) => late + missed > 0)
      .map((sender): Full => ({ ...sender, starts_at })),
  );
  if (full.length === 0) return null;
  const most = Math.max(...hours.map(({ people }) => people));
  return (
    <Section
      title="Over capacity"
      actions={
        may ? (
          <Button component={Link} to={paths.smsProvider}>
            Add a sender
          </Button>
        ) : null
      }
    >
      <Stack gap="xs">
        <Text>
          These senders can't send all of the hour's texts in time. New subscribers get the sender
          with the most room. To move a sender's subscribers, drain it once others have room.
        </Text>
        {most > rate_per_second * 3_600 ? (
          <Text>
            The account's limit of {counted(rate_per_second, 'text', 'texts')} per second is too
            low. Ask the provider to raise it.
          </Text>
        ) : null}
        <DataTable
          label="Over capacity"
          columns={columns}
          rows={full}
          rowKey={({ starts_at, number }) => `${starts_at} ${number}`}
          firstOnPhone={5}
        />
      </Stack>
    </Section>
  );
};
