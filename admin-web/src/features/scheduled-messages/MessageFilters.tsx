import type { ScheduledMessageQuery } from '@daylift/contracts/scheduled-messages.http';
import { Group, NativeSelect, TextInput } from '@mantine/core';

export interface Filters {
  search: string;
  status: NonNullable<ScheduledMessageQuery['status']> | '';
  category: NonNullable<ScheduledMessageQuery['category']> | '';
}
export const noFilters: Filters = { search: '', status: '', category: '' };

export const isFiltered = (filters: Filters): boolean =>
  filters.search !== '' || filters.status !== '' || filters.category !== '';

export const MessageFilters = ({
  filters,
  onChange,
}: {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
}) => (
  <Group gap="sm" align="flex-end">
    <TextInput
      label="Search titles"
      type="search"
      maxLength={100}
      value={filters.search}
      onChange={(event) => onChange({ search: event.currentTarget.value })}
    />
    <NativeSelect
      label="Status"
      value={filters.status}
      onChange={(event) => onChange({ status: event.currentTarget.value as Filters['status'] })}
      data={[
        { value: '', label: 'All' },
        { value: 'upcoming', label: 'Scheduled' },
        { value: 'sent', label: 'Sent' },
      ]}
    />
    <NativeSelect
      label="Show"
      value={filters.category}
      onChange={(event) => onChange({ category: event.currentTarget.value as Filters['category'] })}
      data={[
        { value: '', label: 'All types' },
        { value: 'daily_motivation', label: 'Daily messages' },
        { value: 'announcement', label: 'Announcements' },
      ]}
    />
  </Group>
);
