import type { Me, UpdateMeRequest } from '@daylift/contracts/accounts.http';
import { formatWeekday } from '@daylift/ui/formats';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { DeliveryTimeSelect } from '../../components/DeliveryTimeSelect.tsx';
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx';
import { useUpdateMe } from './delivery-settings.queries.ts';

interface Settings {
  phone: string;
  timezone: string;
  delivery_time: string;
  delivery_frequency: 'daily' | 'weekly';
  /** A select gives text; empty leaves the day to the service. */
  delivery_weekday: string;
}

const settingsOf = (user: Me): Settings => ({
  phone: user.phone,
  timezone: user.timezone,
  delivery_time: user.delivery_time,
  delivery_frequency: user.delivery_frequency,
  delivery_weekday: user.delivery_weekday === null ? '' : String(user.delivery_weekday),
});

const requestOf = ({ delivery_weekday, ...settings }: Settings): UpdateMeRequest => ({
  ...settings,
  phone: settings.phone.trim(),
  ...(settings.delivery_frequency === 'weekly' && delivery_weekday !== ''
    ? { delivery_weekday: Number(delivery_weekday) }
    : {}),
});

const weekdays = [1, 2, 3, 4, 5, 6, 7].map((day) => ({
  value: String(day),
  label: formatWeekday(day),
}));

export const DeliverySettingsForm = ({ user, onSaved }: { user: Me; onSaved: () => void }) => {
  const update = useUpdateMe();
  const form = useForm<Settings>({
    initialValues: settingsOf(user),
    validate: {
      phone: (phone) => (phone.trim() === '' ? 'Please fill in all required fields' : null),
      timezone: (zone) => (zone === '' ? 'Please select your timezone and delivery time' : null),
      delivery_time: (time) =>
        time === '' ? 'Please select your timezone and delivery time' : null,
    },
  });
  const save = (settings: Settings) =>
    update.mutate(requestOf(settings), {
      onSuccess: () => {
        announce('Profile updated successfully!', 'good');
        onSaved();
      },
    });
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack gap="md">
        <TextInput
          label="Phone"
          type="tel"
          autoComplete="tel"
          maxLength={32}
          withAsterisk
          {...form.getInputProps('phone')}
        />
        <TimeZoneSelect label="Timezone" {...form.getInputProps('timezone')} />
        <DeliveryTimeSelect label="Daily message time" {...form.getInputProps('delivery_time')} />
        <NativeSelect
          label="Frequency"
          data={[
            { value: 'daily', label: 'Daily' },
            { value: 'weekly', label: 'Weekly' },
          ]}
          {...form.getInputProps('delivery_frequency')}
        />
        {form.values.delivery_frequency === 'weekly' ? (
          <NativeSelect
            label="Day of the week"
            data={
              user.delivery_weekday === null
                ? [{ value: '', label: 'As my first text' }, ...weekdays]
                : weekdays
            }
            {...form.getInputProps('delivery_weekday')}
          />
        ) : null}
        {update.isError ? <ActionFailure action="update profile" error={update.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" color="dawn" disabled={update.isPending}>
            {update.isPending ? 'Updating...' : 'Save Changes'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
