import type { AdminMe } from '@daylift/contracts/admins.http';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { RecoveryCodeList } from './RecoveryCodeList.tsx';
import { SetUpTwoStep } from './SetUpTwoStep.tsx';
import { TurnOffTwoStep } from './TurnOffTwoStep.tsx';

/** Two-step sign-in: setup, status and turning it off. */
export const TwoStepSection = ({ own }: { own: AdminMe }) => {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null) return <RecoveryCodeList codes={codes} onDone={() => setCodes(null)} />;
  if (own.totp_enabled)
    return (
      <Stack gap="md">
        <Text>
          On. Each sign-in asks for a code from your authenticator app. {own.recovery_codes_left} of
          8 recovery codes left.
        </Text>
        <TurnOffTwoStep />
      </Stack>
    );
  return <SetUpTwoStep onDone={setCodes} />;
};
