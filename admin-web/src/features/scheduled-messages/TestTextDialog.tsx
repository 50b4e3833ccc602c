import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { Dialog } from '@daylift/ui/Dialog';
import { Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionForm } from '../../components/ActionForm.tsx';
import { notifyDone } from '../../components/notify.ts';
import { testingModeQuery } from '../../shared.queries.ts';
import { ownPhoneQuery, useSendTestText } from './scheduled-messages.queries.ts';

type Tested = Pick<ScheduledMessage, 'id' | 'title' | 'content'>;

const TestTextForm = ({
  message,
  phone,
  onClose,
}: {
  message: Tested;
  phone: string;
  onClose: () => void;
}) => {
  const queryClient = useQueryClient();
  const test = useSendTestText();
  const [idempotency_key] = useState(() => crypto.randomUUID());
  const form = useForm({
    initialValues: { phone },
    validate: { phone: isNotEmpty('Enter your phone number') },
  });
  return (
    <ActionForm
      form={form}
      onSubmit={(values) =>
        test.mutate(
          { content: message.content, phone: values.phone.trim(), idempotency_key },
          {
            onSuccess: () => {
              queryClient.setQueryData(ownPhoneQuery.queryKey, values.phone.trim());
              notifyDone(`The test of "${message.title}" is on its way.`);
              onClose();
            },
          },
        )
      }
      mutation={test}
      action="send test text"
      submit="Send Test"
      onCancel={onClose}
    >
      <Text>
        Sends <strong>{message.title}</strong> to your own phone, marked [Test]. It isn't counted in
        statistics and doesn't replace anyone's text.
      </Text>
      <TextInput
        type="tel"
        label="Your phone number"
        placeholder="+1234567890"
        autoComplete="tel"
        maxLength={32}
        withAsterisk
        {...form.getInputProps('phone')}
      />
    </ActionForm>
  );
};

/** Sends a message to the admin's own phone. Suggests the number used before, or the test number of testing mode. */
export const TestTextDialog = ({
  message,
  onClose,
}: {
  message: Tested | null;
  onClose: () => void;
}) => {
  const { data } = useQuery(testingModeQuery);
  const before = useQuery(ownPhoneQuery).data;
  return (
    <Dialog title="Send a test text" opened={message !== null} onClose={onClose}>
      {message ? (
        <TestTextForm
          key={message.id}
          message={message}
          phone={before || (data?.test_phone_number ?? '')}
          onClose={onClose}
        />
      ) : null}
    </Dialog>
  );
};
