import type { Template } from '@daylift/contracts/content.http';
import type { CreateTemplateRequest } from '@daylift/contracts/library.http';
import { focusFirst } from '@daylift/ui/focus-first';
import { formatHour, fullHours } from '@daylift/ui/formats';
import {
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { FormError } from '../../../components/FormError.tsx';
import { useFieldError } from '../../../components/field-errors.ts';
import { PhonePreview } from '../../../components/PhonePreview.tsx';
import { SubmitRow } from '../../../components/SubmitRow.tsx';
import { ContentField, onePartAdvice } from '../ContentField.tsx';

const required = isNotEmpty('Please fill in all required fields');
const hours = [
  { value: '', label: 'Any' },
  ...fullHours.map((value) => ({ value, label: formatHour(value) })),
];

const valuesOf = (template: Template | null) => ({
  title: template?.title ?? '',
  content: template?.content ?? '',
  category: template?.category ?? 'motivational',
  frequency: template?.frequency ?? ('daily' as const),
  scheduled_time: template?.scheduled_time ?? '',
  tags: template?.tags ?? [],
  is_active: template?.is_active ?? true,
});

export const TemplateForm = ({
  template,
  busy,
  error,
  onSubmit,
  onCancel,
}: {
  /** Null for a new message. */
  template: Template | null;
  busy: boolean;
  error: Error | null;
  onSubmit: (body: CreateTemplateRequest) => void;
  onCancel: () => void;
}) => {
  const form = useForm({
    initialValues: valuesOf(template),
    validate: { title: required, content: required, category: required },
  });
  const submit = form.onSubmit(
    (values) => onSubmit({ ...values, scheduled_time: values.scheduled_time || null }),
    focusFirst(form),
  );
  const action = template === null ? 'create template' : 'update template';
  return (
    <form onSubmit={submit} noValidate>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack gap="md">
          <FormError action={action} error={useFieldError(form, error)} />
          <TextInput
            label="Title"
            description="Internal; subscribers don't see it."
            maxLength={200}
            withAsterisk
            {...form.getInputProps('title')}
          />
          <ContentField advice={onePartAdvice} {...form.getInputProps('content')} />
          <TextInput
            label="Category"
            maxLength={50}
            withAsterisk
            {...form.getInputProps('category')}
          />
          <TagsInput
            label="Tags"
            description="For searching. Press Enter after each tag."
            maxTags={10}
            maxLength={30}
            clearable={false}
            {...form.getInputProps('tags')}
          />
          <Group grow align="flex-start">
            <NativeSelect
              label="Frequency"
              data={[
                { value: 'daily', label: 'Daily' },
                { value: 'weekly', label: 'Weekly' },
              ]}
              {...form.getInputProps('frequency')}
            />
            <NativeSelect label="Time" data={hours} {...form.getInputProps('scheduled_time')} />
          </Group>
          <Switch
            label="Active"
            description="Used on days without a scheduled message."
            {...form.getInputProps('is_active', { type: 'checkbox' })}
          />
          <SubmitRow
            label={template === null ? 'Add to Library' : 'Save Changes'}
            busy={busy}
            onCancel={onCancel}
          />
        </Stack>
        <PhonePreview
          content={form.values.content}
          onChange={(words) => form.setFieldValue('content', words)}
        />
      </SimpleGrid>
    </form>
  );
};
