import { useAction } from '@daylift/api-client/use-action';
import type { NewSender, SenderType } from '@daylift/contracts/senders.http';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { notifyDone } from '../../components/notify.ts';
import { WholeNumberInput, wholeNumber } from '../../components/WholeNumberInput.tsx';
import { senderTypes } from './sender-types.ts';
import { sendersQuery } from './sms-system.queries.ts';

/** Adds a sender; empty limits are the provider's. */
export const SenderForm = ({ onClose }: { onClose: () => void }) => {
  const queryClient = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      number: '',
      type: 'toll_free' as SenderType,
      country: 'US',
      per_second: '' as number | string,
      per_day: '' as number | string,
    },
    validate: {
      number: (value) => (value.trim().length >= 3 ? null : 'Enter the number'),
      country: (value) =>
        /^[A-Za-z]{2}$/.test(value.trim()) ? null : 'Enter two letters, like US',
      per_second: wholeNumber(1, 10_000, { optional: true }),
      per_day: wholeNumber(1, 10_000_000, { optional: true }),
    },
  });
  const adding = useAction({
    mutationFn: (body: NewSender) => call('POST /admin/senders', { body }),
    onSuccess: async ({ number }) => {
      notifyDone(`${number} was added.`);
      onClose();
      await queryClient.invalidateQueries({ queryKey: sendersQuery.queryKey });
    },
  });
  return (
    <ActionForm
      form={form}
      onSubmit={({ number, type, country, per_second, per_day }) =>
        adding.mutate({
          number: number.trim(),
          type,
          country: country.trim().toUpperCase(),
          ...(per_second === '' ? {} : { per_second: Number(per_second) }),
          ...(per_day === '' ? {} : { per_day: Number(per_day) }),
        })
      }
      mutation={adding}
      action="add sender"
      submit="Add"
      onCancel={onClose}
      width="32rem"
    >
      <TextInput
        label="Number"
        autoFocus
        placeholder="+18885550124"
        autoComplete="off"
        maxLength={32}
        {...form.getInputProps('number')}
      />
      <NativeSelect
        label="Type"
        data={Object.entries(senderTypes).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('type')}
      />
      <TextInput label="Country" maxLength={2} {...form.getInputProps('country')} />
      <WholeNumberInput
        label="Texts per second"
        description="Empty: the provider's limit for the type"
        {...form.getInputProps('per_second')}
      />
      <WholeNumberInput
        label="Texts per day"
        description="Empty: no limit"
        {...form.getInputProps('per_day')}
      />
    </ActionForm>
  );
};
