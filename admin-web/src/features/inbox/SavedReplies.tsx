import type { SavedReply } from '@daylift/contracts/inbox.http';
import { Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { savedRepliesQuery } from './inbox.queries.ts';
import { SavedRepliesDialog } from './SavedRepliesDialog.tsx';

/** Menu that inserts a saved reply into the form or opens the dialog for editing them. */
export const SavedReplies = ({
  text,
  disabled,
  onChoose,
}: {
  /** The form's current text, which can be saved as a reply. */
  text: string;
  disabled: boolean;
  onChoose: (text: string) => void;
}) => {
  const { data = [] } = useQuery(savedRepliesQuery);
  const [editing, setEditing] = useState<SavedReply | 'new' | 'list' | null>(null);
  return (
    <>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <Button variant="default" h={44} disabled={disabled} style={{ alignSelf: 'flex-start' }}>
            Saved replies
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="20rem" style={{ overflowY: 'auto' }}>
          {data.length === 0 ? (
            <Text c="dimmed" fz="sm" px="sm" py={4}>
              None yet
            </Text>
          ) : null}
          {data.map(({ id, title, content }) => (
            <Menu.Item key={id} mih={44} onClick={() => onChoose(content)}>
              {title}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {text.trim() === '' ? null : (
            <Menu.Item mih={44} onClick={() => setEditing('new')}>
              Save this reply
            </Menu.Item>
          )}
          <Menu.Item mih={44} onClick={() => setEditing('list')}>
            Edit saved replies
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SavedRepliesDialog
        replies={data}
        text={text}
        editing={editing}
        onEdit={setEditing}
        onClose={() => setEditing(null)}
      />
    </>
  );
};
