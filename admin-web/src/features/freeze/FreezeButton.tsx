import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlayerPlay, IconSnowflake } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../session/use-admin.ts';
import { freezeQuery } from '../../shared.queries.ts';
import { FreezeDialog } from './FreezeDialog.tsx';
import { LiftDialog } from './LiftDialog.tsx';

/** Freezes or resumes all sending; shown on every page. */
export const FreezeButton = () => {
  const { data } = useQuery(freezeQuery);
  const may = useMay('operator');
  const isNarrow = useMediaQuery('(max-width: 36em)');
  // The state may change while a dialog is open, which must not turn into the other one.
  const [dialog, setDialog] = useState<'freeze' | 'lift' | null>(null);
  const frozen = data?.frozen ?? false;
  const label = frozen ? 'Resume sending…' : 'Freeze sending';
  const Icon = frozen ? IconPlayerPlay : IconSnowflake;
  const close = () => setDialog(null);
  return (
    <>
      <Button
        variant={frozen ? 'filled' : 'default'}
        color="red"
        size="sm"
        h={44}
        miw={44}
        px={isNarrow ? 'xs' : undefined}
        aria-label={label}
        title={may ? undefined : 'Only operators and owners can do this.'}
        disabled={!may || data === undefined}
        leftSection={isNarrow ? undefined : <Icon size={18} aria-hidden />}
        onClick={() => setDialog(frozen ? 'lift' : 'freeze')}
      >
        {isNarrow ? <Icon size={20} aria-hidden /> : label}
      </Button>
      <FreezeDialog opened={dialog === 'freeze'} inFlight={data?.in_flight ?? 0} onClose={close} />
      <LiftDialog opened={dialog === 'lift'} state={data} onClose={close} />
    </>
  );
};
