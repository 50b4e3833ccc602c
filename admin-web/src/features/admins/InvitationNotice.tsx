import type { AdminInvitation } from '@daylift/contracts/admins.http';
import { formatDayAndHour } from '@daylift/ui/formats';
import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

/** The link of an invitation, which is told this once. */
export const InvitationNotice = ({
  invitation: { admin, invitation_url, expires_at },
  onClose,
}: {
  invitation: AdminInvitation;
  onClose: () => void;
}) => (
  <Alert role="status" color="green" title={`Invitation for ${admin.username}`}>
    <Stack gap="sm">
      <Text>
        {admin.email === null
          ? 'Pass this link on by a safe way.'
          : `It is on its way to ${admin.email}. You can also pass this link on by a safe way.`}{' '}
        It is shown this once, is good for one use, and ends on {formatDayAndHour(expires_at)}.
      </Text>
      <Code
        block
        aria-label="Invitation link"
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {invitation_url}
      </Code>
      <Group gap="sm">
        <CopyButton value={invitation_url}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy link'}</Button>}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  </Alert>
);
