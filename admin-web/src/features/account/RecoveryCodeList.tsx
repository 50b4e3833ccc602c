import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

/** Recovery codes, shown once. */
export const RecoveryCodeList = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => (
  <Alert role="status" color="green" title="Two-step sign-in is on">
    <Stack gap="sm">
      <Text>
        Save these recovery codes somewhere other than your phone. Each works once, and they won't
        be shown again.
      </Text>
      <Code block aria-label="Recovery codes">
        {codes.join('\n')}
      </Code>
      <Group gap="sm">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy codes'}</Button>}
        </CopyButton>
        <Button variant="default" onClick={onDone}>
          I've saved them
        </Button>
      </Group>
    </Stack>
  </Alert>
);
