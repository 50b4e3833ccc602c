import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { Button, Text } from '@mantine/core';
import { IconDeviceMobileMessage, IconFileUpload, IconSend } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { ManualSendDialog } from '../../components/ManualSendDialog.tsx';
import { type ManualSend, todaysMessage } from '../../components/manual-send.ts';
import { Section } from '../../components/Section.tsx';
import { useRequestedAction } from '../../components/use-requested-action.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';
import { CreateMessageForm } from './CreateMessageForm.tsx';
import { HeldTexts } from './HeldTexts.tsx';
import { ImportDialog } from './import/ImportDialog.tsx';
import { ScheduledMessagesTable } from './ScheduledMessagesTable.tsx';

/** A copy starts without a date, because each date can have only one daily message. */
const startOf = (copied: ScheduledMessage | null, date: string | null, isRequested: boolean) => {
  if (copied === null && date === null) return isRequested ? {} : null;
  if (copied === null) return { date: date ?? '' };
  const { title, content, category, scheduled_time: time } = copied;
  return { title, content, category, time, date: '' };
};

export const ScheduleView = () => {
  const may = useMay('operator');
  const { key: visit } = useLocation();
  const [search] = useSearchParams();
  const title = (search.get('search') ?? '').slice(0, 100);
  const date = /^\d{4}-\d{2}-\d{2}$/.exec(search.get('date') ?? '')?.[0] ?? null;
  const [copied, setCopied] = useState<ScheduledMessage | null>(null);
  const [times, setTimes] = useState(0);
  const started = useMemo(() => startOf(copied, date, times > 0), [copied, date, times]);
  const [send, setSend] = useState<ManualSend | null>(null);
  const [importing, setImporting] = useState(false);
  useRequestedAction({
    'schedule-message': () => setTimes(times + 1),
    'import-messages': () => setImporting(true),
    'send-todays-message': () => setSend(todaysMessage),
  });
  return (
    <>
      <HeldTexts />
      <Section title="Create Daily Message">
        <CreateMessageForm key={`${copied?.id} ${date}`} started={started} />
      </Section>
      <Section
        title="Quick Actions"
        actions={
          <>
            {may ? (
              <Button
                variant="default"
                leftSection={<IconSend size={18} aria-hidden />}
                onClick={() => setSend(todaysMessage)}
              >
                Send Today's Message
              </Button>
            ) : null}
            <Button
              component={Link}
              to={paths.smsSystem}
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
        <ScheduledMessagesTable
          key={title === '' ? null : visit}
          title={title}
          onSend={setSend}
          onDuplicate={(message) => setCopied({ ...message })}
        />
      </Section>
      <ManualSendDialog send={send} onClose={() => setSend(null)} />
      <ImportDialog opened={importing} onClose={() => setImporting(false)} />
    </>
  );
};
