import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../session/use-admin.ts';
import {
  type ListFilters,
  sortChoices,
  statusChoices,
  subscriptionChoices,
  textsChoices,
} from './list-filters.ts';

const selects = [
  { field: 'status', label: 'Status', choices: statusChoices },
  { field: 'subscription', label: 'Subscription', choices: subscriptionChoices },
  { field: 'texts', label: 'Delivery', choices: textsChoices },
  { field: 'sort', label: 'Sort by', choices: sortChoices },
] as const;

export const SubscriberFilters = ({
  filters,
  onChange,
}: {
  filters: ListFilters;
  onChange: (change: Partial<ListFilters>) => void;
}) => {
  const [typed, setTyped] = useState(filters.search);
  const searchSoon = useDebouncedCallback((search: string) => onChange({ search }), 250);
  const seesContacts = useMay('operator');
  return (
    <search>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 5 }} spacing="sm" mb="md">
        <TextInput
          label="Search"
          placeholder={seesContacts ? 'Name, email or phone' : 'Name'}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={typed}
          maxLength={100}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            searchSoon(event.currentTarget.value.trim());
          }}
        />
        {selects.map(({ field, label, choices }) => (
          <NativeSelect
            key={field}
            label={label}
            data={choices.map(({ value, label: name }) => ({ value, label: name }))}
            value={filters[field]}
            onChange={(event) => onChange({ [field]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </search>
  );
};
