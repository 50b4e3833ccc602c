import { defaultPlan, planIds, planTerms } from '@daylift/contracts/plans';
import { focusFirst } from '@daylift/ui/focus-first';
import { Button, Checkbox, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormError } from '../../components/FormError.tsx';
import { useFieldError } from '../../components/field-errors.ts';
import { createRequestKeys } from '../../components/request-key.ts';
import type { NewSubscriber } from './PasswordDialog.tsx';
import { ContactFields, contactRules, DeliveryFields } from './SubscriberFields.tsx';
import { useCreateUser } from './subscribers.queries.ts';

const empty = {
  name: '',
  email: '',
  phone: '',
  timezone: 'America/New_York',
  delivery_time: '09:00',
  plan: defaultPlan,
  sms_consent: false,
};

export const AddSubscriberForm = ({
  onCreated,
}: {
  onCreated: (subscriber: NewSubscriber) => void;
}) => {
  const create = useCreateUser();
  const [keyFor] = useState(createRequestKeys);
  const form = useForm({ initialValues: empty, validate: contactRules });
  const submit = form.onSubmit((values) => {
    const { name, email, phone, ...rest } = values;
    const filters = { ...rest, name: name.trim(), email: email.trim(), phone: phone.trim() };
    create.mutate(
      { ...filters, request_key: keyFor(JSON.stringify(filters)) },
      {
        onSuccess: (response) =>
          onCreated({ ...response, name: filters.name, consent: filters.sms_consent }),
      },
    );
  }, focusFirst(form));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormError action="create user" error={useFieldError(form, create.error)} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <ContactFields form={form} />
          <DeliveryFields form={form} />
          <NativeSelect
            label="Plan"
            data={planIds.map((id) => ({ value: id, label: planTerms[id].name }))}
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
