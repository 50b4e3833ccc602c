import { explainError } from '@daylift/api-client/errors';
import type { Me } from '@daylift/contracts/accounts.http';
import { focusFirst } from '@daylift/ui/focus-first';
import { formatWeekday } from '@daylift/ui/formats';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { DeliveryTimeSelect } from '../../components/DeliveryTimeSelect.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { PhoneField } from '../../components/PhoneField.tsx';
import { phoneTooShort } from '../../components/phone-numbers.ts';
import { refusedField } from '../../components/refused-field.ts';
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx';
import { weekdaysInOrder } from '../../components/weekdays.ts';
import { useUpdateMe } from '../../session/update-me.ts';
import { NextTextPreview } from './NextTextPreview.tsx';
import {
  changeOf,
  hasNewAddress,
  newAddresses,
  previewOf,
  type Settings,
  settingsOf,
} from './settings-change.ts';

const frequencies = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
];

const weekdays = weekdaysInOrder().map((day) => ({
  value: String(day),
  label: formatWeekday(day),
}));

const required = (value: string) =>
  value.trim() === '' ? 'Please fill in all required fields' : null;
const checks = {
  name: required,
  email: required,
  phone: (phone: string) => required(phone) ?? phoneTooShort(phone),
  timezone: (zone: string) =>
    zone === '' ? 'Please select your timezone and delivery time' : null,
  delivery_time: (time: string) =>
    time === '' ? 'Please select your timezone and delivery time' : null,
};

/** Initialized once: later updates of the user don't overwrite what is being typed. */
const useSettingsForm = (user: Me) => {
  const [before] = useState(() => settingsOf(user));
  const form = useForm<Settings>({
    initialValues: before,
    validate: {
      ...checks,
      current_password: (password, values) =>
        hasNewAddress(changeOf(before, values), user) && password === ''
          ? 'Enter your current password'
          : null,
    },
  });
  return { form, change: changeOf(before, form.values), wasWeekly: before.delivery_weekday !== '' };
};

export const DeliverySettingsForm = ({ user, onSaved }: { user: Me; onSaved: () => void }) => {
  const update = useUpdateMe(() => announce('Profile updated successfully!', 'good'));
  const { form, change, wasWeekly } = useSettingsForm(user);
  const isNew = newAddresses(change, user);
  const save = () => {
    if (update.isPending) return;
    if (Object.keys(change).length === 0) return onSaved();
    update.mutate(change, {
      onSuccess: onSaved,
      onError: (error) => {
        const field = refusedField(error);
        if (!field) return;
        form.setFieldError(field, explainError('update profile', error));
        form.getInputNode(field)?.focus();
      },
    });
  };
  return (
    <form onSubmit={form.onSubmit(save, focusFirst(form))} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          autoComplete="name"
          maxLength={100}
          required
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          {...form.getInputProps('email')}
        />
        {isNew.email ? (
          <FormMessage kind="info">
            We'll send a link to the new address. Open it to finish the change.
          </FormMessage>
        ) : null}
        <PhoneField label="Phone" required {...form.getInputProps('phone')} />
        {isNew.phone ? (
          <FormMessage kind="info">
            We'll text the new number to ask for a YES. Until you reply, it gets nothing else.
          </FormMessage>
        ) : null}
        {hasNewAddress(change, user) ? (
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            maxLength={128}
            required
            {...form.getInputProps('current_password')}
          />
        ) : null}
        <TimeZoneSelect label="Timezone" {...form.getInputProps('timezone')} />
        <DeliveryTimeSelect label="Daily message time" {...form.getInputProps('delivery_time')} />
        <NativeSelect
          label="Frequency"
          data={frequencies}
          {...form.getInputProps('delivery_frequency')}
        />
        {form.values.delivery_frequency === 'weekly' ? (
          <NativeSelect
            label="Day of the week"
            data={
              wasWeekly ? weekdays : [{ value: '', label: 'Same as my next text' }, ...weekdays]
            }
            {...form.getInputProps('delivery_weekday')}
          />
        ) : null}
        <NextTextPreview change={previewOf(change)} timeZone={user.timezone} />
        <ActionFailure action="update profile" error={update.error} />
        <Group justify="flex-end">
          {/* Not disabled while saving, which would lose focus. */}
          <Button
            type="submit"
            color="dawn"
            aria-disabled={update.isPending}
            data-disabled={update.isPending || undefined}
          >
            {update.isPending ? 'Updating...' : 'Save Changes'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
