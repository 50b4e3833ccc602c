import type { LogStatus } from '@daylift/contracts/sms-operations.http';
import type { BadgeTone } from '@daylift/ui/StatusBadge';
import { NativeSelect } from '@mantine/core';

export const statusNames: Record<LogStatus, { label: string; tone: BadgeTone }> = {
  queued: { label: 'Queued', tone: 'grey' },
  sent: { label: 'Sent', tone: 'sky' },
  delivered: { label: 'Delivered', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
  unknown: { label: 'Unknown', tone: 'yellow' },
  missed: { label: 'Missed', tone: 'red' },
  skipped: { label: 'Skipped', tone: 'grey' },
};

const options = [
  { value: '', label: 'All' },
  ...Object.entries(statusNames).map(([value, { label }]) => ({ value, label })),
];

export const StatusSelect = ({
  value,
  onChange,
}: {
  value: LogStatus | undefined;
  onChange: (status: LogStatus | undefined) => void;
}) => (
  <NativeSelect
    label="Status"
    data={options}
    value={value ?? ''}
    onChange={(event) =>
      onChange((event.currentTarget.value || undefined) as LogStatus | undefined)
    }
  />
);
