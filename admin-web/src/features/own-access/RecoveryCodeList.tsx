import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

/** Shown once; whoever loses the phone has nothing else. */
export const RecoveryCodeList = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => (
  <Alert role="status" color="green" title="Two-step sign-in is on">
    <Stack gap="sm">
      <Text>
        Keep these recovery codes where you find them without your phone. Each lets you in once, and
        they are not shown again.
      </Text>
      <Code block aria-label="Recovery codes">
        {codes.join('\n')}
      </Code>
      <Group gap="sm">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy codes'}</Button>}
        </CopyButton>
        <Button variant="default" onClick={onDone}>
          I have kept them
        </Button>
      </Group>
    </Stack>
  </Alert>
);
