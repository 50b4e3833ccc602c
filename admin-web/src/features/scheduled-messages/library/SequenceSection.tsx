import type { SequenceText } from '@daylift/contracts/content.events';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../../components/DataTable.tsx';
import { RowButton } from '../../../components/RowButton.tsx';
import { Section } from '../../../components/Section.tsx';
import { useMay } from '../../../session/use-admin.ts';
import { sequenceTextsQuery } from './library.queries.ts';
import { SequenceDialog } from './SequenceDialog.tsx';

const columns: Column<SequenceText>[] = [
  { header: 'Day', cell: (text) => <Text fw={700}>Day {text.day}</Text> },
  { header: 'Content', cell: (text) => text.content },
  {
    header: 'Active',
    cell: (text) => (
      <Badge tone={text.is_active ? 'green' : 'grey'}>
        {text.is_active ? 'Active' : 'Inactive'}
      </Badge>
    ),
  },
];

/** Texts sent on a subscriber's day 1, 7, 30 and 100. */
export const SequenceSection = () => {
  const may = useMay('operator');
  const query = useQuery(sequenceTextsQuery);
  const [editing, setEditing] = useState<SequenceText | null>(null);
  const actions: Column<SequenceText> = {
    header: 'Actions',
    cell: (text) => (
      <RowButton label="Edit" row={`Day ${text.day}`} onClick={() => setEditing(text)} />
    ),
  };
  return (
    <Section title="Sequence Texts">
      <QueryView query={query} lines={4}>
        {(texts) => (
          <Stack gap="md">
            <Text c="dimmed">
              Sent instead of the day's text when a subscriber reaches this day, counting from their
              first text. If no text is due that day, it replaces the next one, up to six days
              later.
            </Text>
            <DataTable
              label="Sequence texts"
              columns={may ? [...columns, actions] : columns}
              rows={texts}
              rowKey={(text) => text.id}
            />
          </Stack>
        )}
      </QueryView>
      <SequenceDialog text={editing} onClose={() => setEditing(null)} />
    </Section>
  );
};
