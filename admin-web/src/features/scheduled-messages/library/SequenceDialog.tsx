import type { SequenceText } from '@daylift/contracts/content.events';
import { Dialog } from '@daylift/ui/Dialog';
import { focusFirst } from '@daylift/ui/focus-first';
import { SimpleGrid, Stack, Switch } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { FormError } from '../../../components/FormError.tsx';
import { useFieldError } from '../../../components/field-errors.ts';
import { notifyDone } from '../../../components/notify.ts';
import { PhonePreview } from '../../../components/PhonePreview.tsx';
import { SubmitRow } from '../../../components/SubmitRow.tsx';
import { ContentField, onePartAdvice } from '../ContentField.tsx';
import { useUpdateSequenceText } from './library.queries.ts';

const SequenceForm = ({ text, onClose }: { text: SequenceText; onClose: () => void }) => {
  const update = useUpdateSequenceText();
  const form = useForm({
    initialValues: { content: text.content, is_active: text.is_active },
    validate: { content: isNotEmpty('Please fill in all required fields') },
  });
  const submit = form.onSubmit(
    (values) =>
      update.mutate(
        { id: text.id, body: { ...values, version: text.version } },
        {
          onSuccess: () => {
            notifyDone(`The text for day ${text.day} was updated.`);
            onClose();
          },
        },
      ),
    focusFirst(form),
  );
  return (
    <form onSubmit={submit} noValidate>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack gap="md">
          <FormError action="update sequence text" error={useFieldError(form, update.error)} />
          <ContentField advice={onePartAdvice} {...form.getInputProps('content')} />
          <Switch
            label="Active"
            description="Replaces the library text or scheduled message for that day."
            {...form.getInputProps('is_active', { type: 'checkbox' })}
          />
          <SubmitRow label="Save Changes" busy={update.isPending} onCancel={onClose} />
        </Stack>
        <PhonePreview
          content={form.values.content}
          onChange={(words) => form.setFieldValue('content', words)}
        />
      </SimpleGrid>
    </form>
  );
};

export const SequenceDialog = ({
  text,
  onClose,
}: {
  text: SequenceText | null;
  onClose: () => void;
}) => (
  <Dialog
    opened={text !== null}
    title={text === null ? '' : `Text for day ${text.day}`}
    size="58rem"
    onClose={onClose}
  >
    {text === null ? null : <SequenceForm key={text.id} text={text} onClose={onClose} />}
  </Dialog>
);
