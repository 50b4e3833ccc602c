import type { Action } from '@daylift/api-client/operators-errors';
import type {
  CreateScheduledMessageRequest,
  MessageCategory,
} from '@daylift/contracts/content.http';
import { focusFirst } from '@daylift/ui/focus-first';
import { formatHour, fullHours } from '@daylift/ui/formats';
import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { FormError } from '../../components/FormError.tsx';
import { PhonePreview } from '../../components/PhonePreview.tsx';
import { SubmitRow } from '../../components/SubmitRow.tsx';

const required = isNotEmpty('Please fill in all required fields');

export interface MessageValues {
  title: string;
  content: string;
  date: string;
  time: string;
  category: MessageCategory;
}
export const emptyMessage: MessageValues = {
  title: '',
  content: '',
  date: '',
  time: '08:00',
  category: 'daily_motivation',
};

/** Announcements are sent outside quiet hours only. */
const isByDay = (time: string): boolean => time >= '08:00' && time < '21:00';

const hoursFor = (category: MessageCategory, chosen: string) =>
  [...new Set([...fullHours, chosen])]
    .toSorted()
    .filter((time) => category !== 'announcement' || isByDay(time))
    .map((value) => ({ value, label: formatHour(value) }));

/** Message fields with a phone preview, for creating and editing. */
export const MessageForm = ({
  initial,
  submitLabel,
  action,
  busy,
  error,
  onSubmit,
  onCancel,
}: {
  initial: MessageValues;
  submitLabel: string;
  action: Action;
  busy: boolean;
  error: Error | null;
  /** `reset` clears the form for the next message. */
  onSubmit: (request: CreateScheduledMessageRequest, reset: () => void) => void;
  onCancel?: (() => void) | undefined;
}) => {
  const form = useForm({
    initialValues: initial,
    validate: { title: required, content: required, date: required },
  });
  const { category, time, content } = form.values;
  const submit = form.onSubmit(
    (values) =>
      onSubmit(
        {
          title: values.title.trim(),
          content: values.content.trim(),
          scheduled_date: `${values.date}T${values.time}:00`,
          scheduled_time: values.time,
          category: values.category,
        },
        () => form.setValues(emptyMessage),
      ),
    focusFirst(form),
  );
  const chooseCategory = (chosen: MessageCategory) => {
    form.setFieldValue('category', chosen);
    if (chosen === 'announcement' && !isByDay(time)) form.setFieldValue('time', '08:00');
  };
  return (
    <form onSubmit={submit} noValidate>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack gap="md">
          <FormError action={action} error={error} />
          <TextInput
            label="Title"
            description="Internal; subscribers don't see it."
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
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput type="date" label="Date" withAsterisk {...form.getInputProps('date')} />
            <NativeSelect
              label="Send time"
              data={hoursFor(category, time)}
              {...form.getInputProps('time')}
            />
          </SimpleGrid>
          <NativeSelect
            label="Type"
            description={
              category === 'announcement'
                ? 'Sent to everyone at the send time in their time zone, in addition to the daily text, between 8 AM and 9 PM.'
                : "Sent as that day's text, at each subscriber's chosen hour."
            }
            data={[
              { value: 'daily_motivation', label: 'Daily message' },
              { value: 'announcement', label: 'Announcement' },
            ]}
            {...form.getInputProps('category')}
            onChange={(event) => chooseCategory(event.currentTarget.value as MessageCategory)}
          />
          <SubmitRow label={submitLabel} busy={busy} onCancel={onCancel} />
        </Stack>
        <PhonePreview content={content} />
      </SimpleGrid>
    </form>
  );
};
