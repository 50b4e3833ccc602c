import type { EditableFaq } from '@daylift/contracts/library.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormError } from '../../../components/FormError.tsx';
import { Section } from '../../../components/Section.tsx';
import { ViewerNotice } from '../../../components/ViewerNotice.tsx';
import { useMay } from '../../../session/use-admin.ts';
import { DeleteFaqDialog } from './DeleteFaqDialog.tsx';
import { FaqDialog } from './FaqDialog.tsx';
import { FaqRow } from './FaqRow.tsx';
import { editableFaqsQuery, useOrderFaqs } from './faqs.queries.ts';

const moved = (faqs: EditableFaq[], from: number, by: number): string[] => {
  const ids = faqs.map((one) => one.id);
  const [id = ''] = ids.splice(from, 1);
  ids.splice(from + by, 0, id);
  return ids;
};

export const FaqsView = () => {
  const may = useMay('operator');
  const order = useOrderFaqs();
  const [editing, setEditing] = useState<EditableFaq | 'new' | null>(null);
  const [deleting, setDeleting] = useState<EditableFaq | null>(null);
  const query = useQuery(editableFaqsQuery);
  return (
    <QueryView query={query} lines={8}>
      {(data) => (
        <Section
          title="FAQs"
          actions={
            may ? (
              <Button
                leftSection={<IconPlus size={18} aria-hidden />}
                onClick={() => setEditing('new')}
              >
                Add Question
              </Button>
            ) : null
          }
        >
          <Stack gap="md">
            <ViewerNotice />
            <Text c="dimmed">
              Shown on the subscriber dashboard in this order. Changes are live immediately.
              {
                " {{product_name}} and {{support_email}} become the product's name and the support address."
              }
            </Text>
            <FormError action="order questions" error={order.error} />
            {data.length === 0 ? (
              <EmptyState title="No FAQs yet">
                The dashboard tells subscribers to contact support.
              </EmptyState>
            ) : (
              data.map((faq, index) => (
                <FaqRow
                  key={faq.id}
                  faq={faq}
                  mayChange={may}
                  busy={order.isPending}
                  isFirst={index === 0}
                  isLast={index === data.length - 1}
                  onMove={(by) => order.mutate(moved(data, index, by))}
                  onEdit={() => setEditing(faq)}
                  onDelete={() => setDeleting(faq)}
                />
              ))
            )}
          </Stack>
          <FaqDialog faq={editing} onClose={() => setEditing(null)} />
          <DeleteFaqDialog faq={deleting} onClose={() => setDeleting(null)} />
        </Section>
      )}
    </QueryView>
  );
};
