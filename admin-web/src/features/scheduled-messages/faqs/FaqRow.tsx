import type { EditableFaq } from '@daylift/contracts/library.http';
import { ActionIcon, Card, Group, Text, Title } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { RowButton } from '../../../components/RowButton.tsx';

export const FaqRow = ({
  faq,
  mayChange,
  busy,
  isFirst,
  isLast,
  onMove,
  onEdit,
  onDelete,
}: {
  faq: EditableFaq;
  mayChange: boolean;
  busy: boolean;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onEdit: () => void;
  onDelete: () => void;
}) => (
  <Card component="article" withBorder shadow="none" padding="md">
    <Title order={3} fz="1rem">
      {faq.question}
    </Title>
    <Text mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {faq.answer}
    </Text>
    {mayChange ? (
      <Group gap="xs" mt="sm">
        <ActionIcon
          variant="default"
          size={44}
          disabled={isFirst || busy}
          aria-label={`Move up: ${faq.question}`}
          onClick={() => onMove(-1)}
        >
          <IconArrowUp size={18} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={44}
          disabled={isLast || busy}
          aria-label={`Move down: ${faq.question}`}
          onClick={() => onMove(1)}
        >
          <IconArrowDown size={18} />
        </ActionIcon>
        <RowButton label="Edit" row={faq.question} onClick={onEdit} />
        <RowButton label="Delete" row={faq.question} onClick={onDelete} />
      </Group>
    ) : null}
  </Card>
);
