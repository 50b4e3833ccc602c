import { Button, Text } from '@mantine/core';
import { IconDeviceMobileMessage, IconFileUpload, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ManualSendDialog } from '../../components/ManualSendDialog.tsx';
import { type ManualSend, todaysMessage } from '../../components/manual-send.ts';
import { Section } from '../../components/Section.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';
import { CreateMessageForm } from './CreateMessageForm.tsx';
import { ImportDialog } from './import/ImportDialog.tsx';
import { ScheduledMessagesTable } from './ScheduledMessagesTable.tsx';

export const ScheduleView = () => {
  const may = useMay('operator');
  const [search] = useSearchParams();
  const date = /^\d{4}-\d{2}-\d{2}$/.exec(search.get('date') ?? '')?.[0] ?? null;
  const [send, setSend] = useState<ManualSend | null>(null);
  const [importing, setImporting] = useState(false);
  return (
    <>
      <Section title="Create Daily Message">
        <CreateMessageForm key={date} date={date} />
      </Section>
      <Section
        title="Quick Actions"
        actions={
          <>
            {may ? (
              <Button
                leftSection={<IconSend size={18} aria-hidden />}
                onClick={() => setSend(todaysMessage)}
              >
                Send Today's Message
              </Button>
            ) : null}
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
          Today's message goes out automatically at each subscriber's chosen hour. Sending it now
          reaches everyone who hasn't had today's text yet.
        </Text>
      </Section>
      <Section
        title="Scheduled Messages"
        actions={
          may ? (
            <Button
              variant="default"
              leftSection={<IconFileUpload size={18} aria-hidden />}
              onClick={() => setImporting(true)}
            >
              Import CSV
            </Button>
          ) : null
        }
      >
        <ScheduledMessagesTable onSend={setSend} />
      </Section>
      <ManualSendDialog send={send} onClose={() => setSend(null)} />
      <ImportDialog opened={importing} onClose={() => setImporting(false)} />
    </>
  );
};
