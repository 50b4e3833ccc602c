import type { CreateFaqRequest, EditableFaq } from '@daylift/contracts/library.http';
import { Dialog } from '@daylift/ui/Dialog';
import { focusFirst } from '@daylift/ui/focus-first';
import { Stack, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { FormError } from '../../../components/FormError.tsx';
import { useFieldError } from '../../../components/field-errors.ts';
import { notifyDone } from '../../../components/notify.ts';
import { SubmitRow } from '../../../components/SubmitRow.tsx';
import { useCreateFaq, useUpdateFaq } from './faqs.queries.ts';

const required = isNotEmpty('Please fill in all required fields');

const FaqForm = ({
  faq,
  busy,
  error,
  onSubmit,
  onCancel,
}: {
  /** Null for a new question. */
  faq: EditableFaq | null;
  busy: boolean;
  error: Error | null;
  onSubmit: (body: CreateFaqRequest) => void;
  onCancel: () => void;
}) => {
  const form = useForm({
    initialValues: { question: faq?.question ?? '', answer: faq?.answer ?? '' },
    validate: { question: required, answer: required },
  });
  const action = faq === null ? 'create question' : 'update question';
  return (
    <form onSubmit={form.onSubmit(onSubmit, focusFirst(form))} noValidate>
      <Stack gap="md">
        <FormError action={action} error={useFieldError(form, error)} />
        <TextInput
          label="Question"
          maxLength={300}
          withAsterisk
          {...form.getInputProps('question')}
        />
        <Textarea
          label="Answer"
          description="You can use {{product_name}} and {{support_email}}."
          autosize
          minRows={4}
          maxLength={4000}
          withAsterisk
          {...form.getInputProps('answer')}
        />
        <SubmitRow
          label={faq === null ? 'Add Question' : 'Save Changes'}
          busy={busy}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
};

export const FaqDialog = ({
  faq,
  onClose,
}: {
  faq: EditableFaq | 'new' | null;
  onClose: () => void;
}) => {
  const create = useCreateFaq();
  const update = useUpdateFaq();
  const isNew = faq === 'new';
  const close = () => {
    create.reset();
    update.reset();
    onClose();
  };
  const done = () => {
    notifyDone(isNew ? 'Question added.' : 'Question updated.');
    close();
  };
  const submit = (body: CreateFaqRequest) => {
    if (faq === 'new') create.mutate(body, { onSuccess: done });
    else if (faq !== null)
      update.mutate({ id: faq.id, body: { ...body, version: faq.version } }, { onSuccess: done });
  };
  const busy = create.isPending || update.isPending;
  return (
    <Dialog
      opened={faq !== null}
      size="lg"
      title={isNew ? 'Add a question' : 'Edit question'}
      busy={busy}
      onClose={close}
    >
      {faq !== null ? (
        <FaqForm
          key={isNew ? 'new' : faq.id}
          faq={isNew ? null : faq}
          busy={busy}
          error={create.error ?? update.error}
          onSubmit={submit}
          onCancel={close}
        />
      ) : null}
    </Dialog>
  );
};
