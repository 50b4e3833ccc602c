import { useAction } from '@daylift/api-client/use-action';
import { focusFirst } from '@daylift/ui/focus-first';
import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { looksLikeEmail } from '../../components/email-address.ts';
import { focusWhenShown } from '../../components/use-focus-back.ts';
import classes from './ContactForm.module.css';

interface Message {
  name: string;
  email: string;
  subject: string;
  message: string;
}

const required = isNotEmpty('Please fill in all required fields');
const anAddress = (text: string) =>
  required(text) ?? (looksLikeEmail(text) ? null : 'Please enter a valid email address');

const trimmed = (input: Message): Message => ({
  name: input.name.trim(),
  email: input.email.trim(),
  subject: input.subject.trim(),
  message: input.message.trim(),
});

const Fields = ({ form, isAnother }: { form: UseFormReturnType<Message>; isAnother: boolean }) => (
  <>
    <div className={classes.pair}>
      <TextInput
        ref={isAnother ? focusWhenShown : undefined}
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={100}
        required
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...form.getInputProps('email')}
      />
    </div>
    <TextInput
      label="Subject"
      name="subject"
      maxLength={150}
      required
      {...form.getInputProps('subject')}
    />
    <Textarea
      label="Message"
      name="message"
      rows={6}
      maxLength={4000}
      required
      {...form.getInputProps('message')}
    />
  </>
);

export const ContactForm = () => {
  const form = useForm<Message>({
    initialValues: { name: '', email: '', subject: '', message: '' },
    validate: { name: required, email: anAddress, subject: required, message: required },
  });
  const [isAnother, setIsAnother] = useState(false);
  const send = useAction({
    mutationFn: (input: Message) => call('POST /contact', { body: trimmed(input) }),
    onSuccess: () => form.reset(),
  });
  const writeAnother = () => {
    setIsAnother(true);
    send.reset();
  };
  if (send.isSuccess)
    return (
      <div className={classes.card} role="status">
        <h2 ref={focusWhenShown} tabIndex={-1} className={classes.title}>
          Message Sent!
        </h2>
        <Text mt="xs">
          Thanks for writing! A real person reads every message, and you'll hear from us within 24
          hours.
        </Text>
        <Button mt="lg" variant="default" onClick={writeAnother}>
          Send Another Message
        </Button>
      </div>
    );
  return (
    <form
      className={classes.card}
      method="post"
      noValidate
      onSubmit={form.onSubmit((input) => send.mutate(input), focusFirst(form))}
    >
      <Stack gap="md">
        <Fields form={form} isAnother={isAnother} />
        <ActionFailure action="send contact message" error={send.error} />
        <Button type="submit" color="dawn" className={classes.send} loading={send.isPending}>
          Send Message
        </Button>
      </Stack>
    </form>
  );
};
