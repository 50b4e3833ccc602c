import type { PlanId } from '@daylift/contracts/fields';
import { focusFirst } from '@daylift/ui/focus-first';
import { formatHour, fullHours } from '@daylift/ui/formats';
import { Button, Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMemo, useState } from 'react';
import { useCatalogue } from '../../catalogue.ts';
import { FormError } from '../../components/FormError.tsx';
import { useFieldError } from '../../components/field-errors.ts';
import type { NewSubscriber } from './PasswordDialog.tsx';
import { createRequestKeys } from './request-key.ts';
import { useCreateUser } from './subscribers.queries.ts';
import { zoneChoices } from './time-zones.ts';

const required = isNotEmpty('Please fill in all required fields');
const empty = {
  name: '',
  email: '',
  phone: '',
  timezone: 'America/New_York',
  delivery_time: '09:00',
  plan: 'monthly' as PlanId,
  sms_consent: false,
};
const hours = fullHours.map((value) => ({ value, label: formatHour(value) }));

export const AddSubscriberForm = ({
  onCreated,
}: {
  onCreated: (subscriber: NewSubscriber) => void;
}) => {
  const create = useCreateUser();
  const plans = useCatalogue()?.plans;
  const zones = useMemo(zoneChoices, []);
  const [keyFor] = useState(createRequestKeys);
  const form = useForm({
    initialValues: empty,
    validate: { name: required, email: required, phone: required },
  });
  const submit = form.onSubmit((values) => {
    const { name, email, phone, ...rest } = values;
    const filters = { ...rest, name: name.trim(), email: email.trim(), phone: phone.trim() };
    create.mutate(
      { ...filters, request_key: keyFor(JSON.stringify(filters)) },
      {
        onSuccess: (answer) =>
          onCreated({ ...answer, name: filters.name, consent: filters.sms_consent }),
      },
    );
  }, focusFirst(form));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormError action="create user" error={useFieldError(form, create.error)} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TextInput
            label="Name"
            data-autofocus
            withAsterisk
            maxLength={100}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <TextInput
            type="email"
            label="Email"
            withAsterisk
            maxLength={254}
            autoComplete="off"
            {...form.getInputProps('email')}
          />
          <TextInput
            type="tel"
            label="Phone"
            placeholder="+1234567890"
            withAsterisk
            maxLength={32}
            autoComplete="off"
            {...form.getInputProps('phone')}
          />
          <NativeSelect label="Timezone" data={zones} {...form.getInputProps('timezone')} />
          <NativeSelect
            label="Delivery time"
            data={hours}
            {...form.getInputProps('delivery_time')}
          />
          <NativeSelect
            label="Plan"
            data={
              plans?.map(({ id, name }) => ({ value: id, label: name })) ?? ['monthly', 'yearly']
            }
            {...form.getInputProps('plan')}
          />
        </SimpleGrid>
        <Checkbox
          label="They agreed in writing to get recurring texts at this number"
          description="If not, we text them to ask for a YES and send nothing else until they reply."
          {...form.getInputProps('sms_consent', { type: 'checkbox' })}
        />
        <div>
          <Button type="submit" loading={create.isPending}>
            Add Subscriber
          </Button>
        </div>
      </Stack>
    </form>
  );
};
