import type { AdminUser } from '@daylift/contracts/accounts.http';
import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { Dialog } from '@daylift/ui/Dialog';
import { formatWeekday } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { ActionForm } from '../../components/ActionForm.tsx';
import { notifyDone } from '../../components/notify.ts';
import { subscriberQuery } from './page/subscriber-page.queries.ts';
import { ContactFields, contactRules, DeliveryFields } from './SubscriberFields.tsx';
import { useUpdateUser } from './subscribers.queries.ts';

const weekdays = [1, 2, 3, 4, 5, 6, 7].map((day) => ({
  value: String(day),
  label: formatWeekday(day),
}));

const valuesOf = (user: AdminSubscriber) => ({
  name: user.name,
  email: user.pending_email ?? user.email,
  phone: user.pending_phone ?? user.phone,
  timezone: user.timezone,
  delivery_time: user.delivery_time,
  delivery_frequency: user.delivery_frequency,
  delivery_weekday: String(user.delivery_weekday ?? ''),
});

const EditForm = ({ user, onClose }: { user: AdminSubscriber; onClose: () => void }) => {
  const update = useUpdateUser(user.id);
  const form = useForm({ initialValues: valuesOf(user), validate: contactRules });
  const isWeekly = form.values.delivery_frequency === 'weekly';
  const save = ({ delivery_weekday, ...values }: ReturnType<typeof valuesOf>) =>
    update.mutate(
      {
        ...values,
        name: values.name.trim(),
        email: values.email.trim(),
        phone: values.phone.trim(),
        ...(isWeekly && delivery_weekday !== '' && { delivery_weekday: Number(delivery_weekday) }),
      },
      {
        onSuccess: () => {
          notifyDone(`${values.name.trim()} was updated.`);
          onClose();
        },
      },
    );
  return (
    <ActionForm
      form={form}
      onSubmit={save}
      mutation={update}
      action="update user"
      submit="Save Changes"
      onCancel={onClose}
    >
      <ContactFields
        form={form}
        descriptions={{
          email:
            'A confirmed address stays in place until they open the link we email to the new one, and we notify the old one. An unconfirmed address changes immediately.',
          phone: 'A new number gets texts once they reply YES from it. We notify the old number.',
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DeliveryFields form={form} />
        <NativeSelect
          label="Frequency"
          data={[
            { value: 'daily', label: 'Daily' },
            { value: 'weekly', label: 'Weekly' },
          ]}
          {...form.getInputProps('delivery_frequency')}
        />
        {isWeekly ? (
          <NativeSelect
            label="Weekday"
            data={[{ value: '', label: 'From tomorrow' }, ...weekdays]}
            {...form.getInputProps('delivery_weekday')}
          />
        ) : null}
      </SimpleGrid>
    </ActionForm>
  );
};

const Loaded = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <QueryView query={useQuery(subscriberQuery(id))} lines={6}>
    {(user) => <EditForm user={user} onClose={onClose} />}
  </QueryView>
);

/** Edits a subscriber with the same rules as their own settings page. */
export const EditDialog = ({
  user,
  onClose,
}: {
  user: Pick<AdminUser, 'id'> | null;
  onClose: () => void;
}) => (
  <Dialog title="Edit subscriber" opened={user !== null} onClose={onClose} size="lg">
    {user ? <Loaded id={user.id} onClose={onClose} /> : null}
  </Dialog>
);
