import { formatCount } from '@daylift/ui/formats';
import { Group, Pagination, Text } from '@mantine/core';

/** Pagination with the range of rows shown. */
export const TablePages = ({
  offset,
  limit,
  total,
  most = Number.POSITIVE_INFINITY,
  onChange,
}: {
  offset: number;
  limit: number;
  total: number;
  /** Upper limit of the row count. */
  most?: number;
  onChange: (offset: number) => void;
}) => (
  <Group justify="space-between" mt="md">
    <Text c="dimmed" fz="sm" role="status">
      {total === 0
        ? 'None'
        : `${formatCount(offset + 1)} to ${formatCount(Math.min(offset + limit, total))} of ${total > most ? `more than ${formatCount(most)}` : formatCount(total)}`}
    </Text>
    {total > limit ? (
      <Pagination
        total={Math.ceil(Math.min(total, most) / limit)}
        value={Math.floor(offset / limit) + 1}
        onChange={(page) => onChange((page - 1) * limit)}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      />
    ) : null}
  </Group>
);
