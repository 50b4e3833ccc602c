import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import classes from './AuditFilterForm.module.css';
import type { AuditFilters } from './audit.queries.ts';
import { describeAction, knownActions } from './words.ts';

const noFilters: AuditFilters = { admin: '', action: '', target: '', from: '', to: '' };

export const AuditFilterForm = ({
  filters,
  onChange,
}: {
  filters: AuditFilters;
  onChange: (filters: AuditFilters) => void;
}) => {
  const form = useForm<AuditFilters>({ initialValues: filters });
  const isKnown = knownActions.some((one) => one.value === filters.action);
  const unknown = [{ value: filters.action, label: describeAction(filters.action) }];
  const options = [
    { value: '', label: 'All actions' },
    ...(filters.action === '' || isKnown ? [] : unknown),
    ...knownActions,
  ];
  return (
    <form aria-label="Audit log" onSubmit={form.onSubmit((values) => onChange(values))}>
      <div className={classes.fields}>
        <TextInput
          label="Admin"
          placeholder="Username"
          maxLength={100}
          autoCapitalize="none"
          {...form.getInputProps('admin')}
        />
        <NativeSelect label="Action" data={options} {...form.getInputProps('action')} />
        <TextInput
          label="Target"
          placeholder="Name, email or ID"
          maxLength={200}
          {...form.getInputProps('target')}
        />
        <TextInput type="date" label="From" {...form.getInputProps('from')} />
        <TextInput type="date" label="To" {...form.getInputProps('to')} />
      </div>
      <Group gap="sm" mt="md">
        <Button type="submit">Show</Button>
        <Button
          variant="default"
          onClick={() => {
            form.setValues(noFilters);
            onChange(noFilters);
          }}
        >
          Clear filters
        </Button>
      </Group>
    </form>
  );
};
