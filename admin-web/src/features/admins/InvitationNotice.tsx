import type { AdminInvitation } from '@daylift/contracts/admins.http';
import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { Time } from '../../components/Time.tsx';

/** Shows an invitation link, which is available only once. */
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
          ? 'Share this link through a secure channel.'
          : `We're emailing it to ${admin.email}. You can also share the link through a secure channel.`}{' '}
        It's shown only once, works one time, and expires on <Time at={expires_at} />.
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
