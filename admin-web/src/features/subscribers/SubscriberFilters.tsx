import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useMay } from '../../session/use-admin.ts';
import {
  activeFilters,
  type ListFilters,
  sortsFor,
  statusChoices,
  subscriptionChoices,
  textsChoices,
} from './list-filters.ts';
import classes from './SubscriberFilters.module.css';

/** On phones, one button discloses all fields but the search. */
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
  const [opened, { toggle }] = useDisclosure();
  const restId = useId();
  const active = activeFilters(filters);
  const selects = [
    { field: 'status', label: 'Status', choices: statusChoices },
    { field: 'subscription', label: 'Subscription', choices: subscriptionChoices },
    { field: 'texts', label: 'Delivery', choices: textsChoices },
    { field: 'sort', label: 'Sort by', choices: sortsFor(seesContacts) },
  ] as const;
  return (
    <search className={classes.fields}>
      <TextInput
        label="Search"
        description={seesContacts ? 'By name, email or phone' : 'By name'}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={typed}
        maxLength={100}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          searchSoon(event.currentTarget.value.trim());
        }}
      />
      <Button
        className={classes.toggle}
        variant="default"
        aria-expanded={opened}
        aria-controls={restId}
        onClick={toggle}
      >
        {active === 0 ? 'Filters' : `Filters (${active})`}
      </Button>
      <div id={restId} className={classes.rest} data-open={opened}>
        {selects.map(({ field, label, choices }) => (
          <NativeSelect
            key={field}
            label={label}
            data={choices.map(({ value, label: name }) => ({ value, label: name }))}
            value={filters[field]}
            onChange={(event) => onChange({ [field]: event.currentTarget.value })}
          />
        ))}
      </div>
    </search>
  );
};
