import { focusFirst } from '@daylift/ui/focus-first';
import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { FormActions } from '../../components/FormActions.tsx';
import { focusWhenShown } from '../../components/use-focus-back.ts';
import { useContactSupport } from './support.queries.ts';

interface SupportMessage {
  subject: string;
  message: string;
}

const required = isNotEmpty('Please fill in all required fields');

export const ContactSupportForm = ({ onClose }: { onClose: () => void }) => {
  const send = useContactSupport(() =>
    announce("Support message sent successfully! We'll get back to you within 24 hours.", 'good'),
  );
  const form = useForm<SupportMessage>({
    initialValues: { subject: '', message: '' },
    validate: { subject: required, message: required },
  });
  const submit = ({ subject, message }: SupportMessage) =>
    send.mutate({ subject: subject.trim(), message: message.trim() }, { onSuccess: onClose });
  return (
    <form onSubmit={form.onSubmit(submit, focusFirst(form))} noValidate>
      <Stack gap="md">
        <TextInput
          ref={focusWhenShown}
          label="Subject"
          maxLength={150}
          required
          {...form.getInputProps('subject')}
        />
        <Textarea
          label="Message"
          autosize
          minRows={5}
          maxRows={14}
          maxLength={4000}
          required
          {...form.getInputProps('message')}
        />
        <ActionFailure action="send support message" error={send.error} />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="dawn" loading={send.isPending}>
            Send Message
          </Button>
        </FormActions>
      </Stack>
    </form>
  );
};
