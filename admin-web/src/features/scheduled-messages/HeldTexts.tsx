import type { HeldTexts as Held } from '@daylift/contracts/scheduler.http';
import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { counted } from '../../components/counted.ts';
import { RowButton } from '../../components/RowButton.tsx';
import { Section } from '../../components/Section.tsx';
import { Time } from '../../components/Time.tsx';
import { useMay } from '../../session/use-admin.ts';
import { heldTextsQuery, useCancelHeldTexts } from './scheduled-messages.queries.ts';

const texts = (count: number): string => counted(count, 'text', 'texts');

const Until = ({ held: { first_at, last_at } }: { held: Held }) => (
  <>
    <Time at={first_at} />
    {first_at === last_at ? null : (
      <>
        {' '}
        to <Time at={last_at} />
      </>
    )}
  </>
);

/** Lists texts of manual sends held until 8:00 AM subscriber time. Renders nothing if there are none. */
export const HeldTexts = () => {
  const may = useMay('operator');
  const { data = [] } = useQuery(heldTextsQuery);
  const cancel = useCancelHeldTexts();
  const [confirming, setConfirming] = useState<Held | null>(null);
  return (
    <>
      {data.length === 0 ? null : (
        <Section title="Held Texts">
          <Stack gap="sm">
            {data.map((held) => (
              <Group key={held.scheduled_message_id} justify="space-between" gap="sm">
                <Text>
                  <strong>{held.title}</strong>: {texts(held.texts)} held until 8:00 AM subscriber
                  time (<Until held={held} />)
                </Text>
                {may ? (
                  <RowButton
                    label="Cancel held texts"
                    row={held.title}
                    onClick={() => setConfirming(held)}
                  />
                ) : null}
              </Group>
            ))}
          </Stack>
        </Section>
      )}
      <ActionDialog
        input={confirming?.scheduled_message_id ?? null}
        mutation={cancel}
        action="cancel held texts"
        done={({ canceled, left }) =>
          left > 0
            ? `${texts(canceled)} canceled, ${texts(left)} left. Cancel again to continue.`
            : `${texts(canceled)} canceled.`
        }
        title="Cancel the held texts?"
        confirmLabel="Cancel held texts"
        cancelLabel="Keep"
        tone="danger"
        onClose={() => setConfirming(null)}
      >
        <Text>
          <strong>{confirming?.title}</strong>: {confirming ? texts(confirming.texts) : ''} won't be
          sent. These subscribers' usual texts still come at their usual time.
        </Text>
      </ActionDialog>
    </>
  );
};
