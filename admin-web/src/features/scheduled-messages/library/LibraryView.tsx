import type { Template } from '@daylift/contracts/content.http';
import { Alert, Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LibraryRunway } from '../../../components/LibraryRunway.tsx';
import { Section } from '../../../components/Section.tsx';
import { ViewerNotice } from '../../../components/ViewerNotice.tsx';
import { useMay } from '../../../session/use-admin.ts';
import { contentCalendarQuery } from '../../../shared.queries.ts';
import { DeleteTemplateDialog } from './DeleteTemplateDialog.tsx';
import { SequenceSection } from './SequenceSection.tsx';
import { TemplateDialog } from './TemplateDialog.tsx';
import { TemplatesTable } from './TemplatesTable.tsx';

/** Below this, daily subscribers get repeats within four months. */
const minMessages = 120;

const FewMessages = () => {
  const active = useQuery(contentCalendarQuery).data?.library.active;
  return active !== undefined && active < minMessages ? (
    <Alert color="yellow" title={`Only ${active} library messages are active`}>
      With fewer than {minMessages}, subscribers soon get repeats. Activate or add messages.
    </Alert>
  ) : null;
};

/** Templates for days without a scheduled message. */
export const LibraryView = () => {
  const may = useMay('operator');
  const [editing, setEditing] = useState<Template | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Template | null>(null);
  return (
    <Stack gap="lg">
      <Section
        title="Template Library"
        actions={
          may ? (
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              onClick={() => setEditing('new')}
            >
              Add Message
            </Button>
          ) : null
        }
      >
        <Stack gap="md">
          <ViewerNotice />
          <FewMessages />
          <LibraryRunway />
          <TemplatesTable onEdit={setEditing} onDelete={setDeleting} />
        </Stack>
        <TemplateDialog template={editing} onClose={() => setEditing(null)} />
        <DeleteTemplateDialog template={deleting} onClose={() => setDeleting(null)} />
      </Section>
      <SequenceSection />
    </Stack>
  );
};
