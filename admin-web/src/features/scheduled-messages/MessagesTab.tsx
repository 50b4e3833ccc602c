import { Button, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconDeviceMobileMessage, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Section } from '../../components/Section.tsx';
import { StaffSendDialog } from '../../components/StaffSendDialog.tsx';
import { type StaffSend, todaysMessage } from '../../components/staff-send.ts';
import { paths } from '../../paths.ts';
import { CreateMessageForm } from './CreateMessageForm.tsx';
import { ScheduledMessagesTable } from './ScheduledMessagesTable.tsx';

export const MessagesTab = () => {
  const [send, setSend] = useState<StaffSend | null>(null);
  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={1}>Messages</Title>
      </VisuallyHidden>
      <Section title="Create Daily Message">
        <CreateMessageForm />
      </Section>
      <Section
        title="Quick Actions"
        actions={
          <>
            <Button
              leftSection={<IconSend size={18} aria-hidden />}
              onClick={() => setSend(todaysMessage)}
            >
              Send Today's Message
            </Button>
            <Button
              component={Link}
              to={paths.tab('sms')}
              variant="default"
              leftSection={<IconDeviceMobileMessage size={18} aria-hidden />}
            >
              View SMS System
            </Button>
          </>
        }
      >
        <Text c="dimmed">
          Subscribers get the message of the day at their own hour by themselves. Sending it now
          reaches everyone who has not had today's text yet.
        </Text>
      </Section>
      <Section title="Scheduled Messages">
        <ScheduledMessagesTable onSend={setSend} />
      </Section>
      <StaffSendDialog send={send} onClose={() => setSend(null)} />
    </Stack>
  );
};
