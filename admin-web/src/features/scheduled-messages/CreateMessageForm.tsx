import { describeError } from '@daylift/api-client/errors';
import type { MessageCategory } from '@daylift/contracts/content.http';
import { formatHour, formatLocalDate } from '@daylift/ui/formats';
import {
  Alert,
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifyDone } from '../../components/notify.ts';
import { PhonePreview } from './PhonePreview.tsx';
import { useCreateScheduledMessage } from './scheduled-messages.queries.ts';

const required = 'Please fill in all required fields';
const empty = {
  title: '',
  content: '',
  date: '',
  time: '08:00',
  category: 'daily_motivation' as MessageCategory,
};

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`).map(
  (value) => ({
    value,
    label: formatHour(value),
  }),
);

export const CreateMessageForm = () => {
  const create = useCreateScheduledMessage();
  const form = useForm({
    initialValues: empty,
    validate: {
      title: (value) => (value.trim() === '' ? required : null),
      content: (value) => (value.trim() === '' ? required : null),
      date: (value) => (value === '' ? required : null),
    },
  });
  const submit = form.onSubmit((values) =>
    create.mutate(
      {
        title: values.title.trim(),
        content: values.content.trim(),
        scheduled_date: `${values.date}T${values.time}:00`,
        scheduled_time: values.time,
        category: values.category,
      },
      {
        onSuccess: (message) => {
          notifyDone(
            `"${message.title}" is scheduled for ${formatLocalDate(message.scheduled_date)}.`,
          );
          form.reset();
        },
      },
    ),
  );
  const announcement = form.values.category === 'announcement';
  return (
    <form onSubmit={submit} noValidate>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack gap="md">
          {create.isError ? (
            <Alert
              role="alert"
              color="red"
              title={describeError('create scheduled message', create.error)}
            />
          ) : null}
          <TextInput
            label="Title"
            description="For you; subscribers do not see it."
            maxLength={200}
            withAsterisk
            {...form.getInputProps('title')}
          />
          <Textarea
            label="Content"
            description="{{first_name}} becomes each subscriber's first name."
            autosize
            minRows={4}
            maxLength={1600}
            withAsterisk
            {...form.getInputProps('content')}
          />
          <Group grow align="flex-start">
            <TextInput type="date" label="Date" withAsterisk {...form.getInputProps('date')} />
            <NativeSelect label="Send time" data={hours} {...form.getInputProps('time')} />
          </Group>
          <NativeSelect
            label="Kind"
            description={
              announcement
                ? 'Goes to everyone at the send time of their own zone, on top of the daily text, between 8 AM and 9 PM.'
                : 'Is the text of that day: each subscriber gets it at the hour of their own choice.'
            }
            data={[
              { value: 'daily_motivation', label: 'Daily message' },
              { value: 'announcement', label: 'Announcement' },
            ]}
            {...form.getInputProps('category')}
          />
          <Button type="submit" loading={create.isPending}>
            Schedule Message
          </Button>
        </Stack>
        <PhonePreview content={form.values.content} />
      </SimpleGrid>
    </form>
  );
};
