import type { Action } from '@daylift/api-client/operators-errors';
import type {
  CreateScheduledMessageRequest,
  MessageCategory,
} from '@daylift/contracts/content.http';
import { focusFirst } from '@daylift/ui/focus-first';
import { formatHour, fullHours } from '@daylift/ui/formats';
import { NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { FormError } from '../../components/FormError.tsx';
import { useFieldError } from '../../components/field-errors.ts';
import { PhonePreview } from '../../components/PhonePreview.tsx';
import { SubmitRow } from '../../components/SubmitRow.tsx';
import { ContentField } from './ContentField.tsx';
import { hasPassed, LateDialog } from './LateDialog.tsx';
import { emptyMessage, type MessageValues } from './message-values.ts';

const required = isNotEmpty('Please fill in all required fields');

/** Announcements are sent outside quiet hours only. */
const isByDay = (time: string): boolean => time >= '08:00' && time < '21:00';

const dayHours = (chosen: string) =>
  [...new Set([...fullHours, chosen])]
    .toSorted()
    .filter(isByDay)
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
  const unplaced = useFieldError(form, error, {
    scheduled_date: 'date',
    scheduled_time: 'time',
  });
  const [late, setLate] = useState<MessageValues | null>(null);
  const send = (values: MessageValues) => {
    setLate(null);
    onSubmit(
      {
        title: values.title.trim(),
        content: values.content.trim(),
        scheduled_date: `${values.date}T${values.time}:00`,
        scheduled_time: values.time,
        category: values.category,
      },
      () => form.setValues(emptyMessage),
    );
  };
  const submit = form.onSubmit(
    (values) => (hasPassed(values) ? setLate(values) : send(values)),
    focusFirst(form),
  );
  const chooseCategory = (chosen: MessageCategory) => {
    form.setFieldValue('category', chosen);
    form.clearFieldError('date');
    if (chosen === 'announcement' && !isByDay(time)) form.setFieldValue('time', '08:00');
  };
  return (
    <form onSubmit={submit} noValidate>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack gap="md">
          <TextInput
            label="Title"
            description="Internal; subscribers don't see it."
            maxLength={200}
            withAsterisk
            {...form.getInputProps('title')}
          />
          <ContentField {...form.getInputProps('content')} />
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
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput type="date" label="Date" withAsterisk {...form.getInputProps('date')} />
            {category === 'announcement' ? (
              <NativeSelect
                label="Send time"
                data={dayHours(time)}
                {...form.getInputProps('time')}
              />
            ) : null}
          </SimpleGrid>
          <FormError action={action} error={unplaced} />
          <SubmitRow label={submitLabel} busy={busy} onCancel={onCancel} />
        </Stack>
        <PhonePreview
          content={content}
          onChange={(words) => form.setFieldValue('content', words)}
        />
      </SimpleGrid>
      <LateDialog late={late} onConfirm={send} onClose={() => setLate(null)} />
    </form>
  );
};
