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
  const [asking, setAsking] = useState(false);
  const frozen = data?.frozen ?? false;
  const label = frozen ? 'Resume sending…' : 'Freeze sending';
  const Icon = frozen ? IconPlayerPlay : IconSnowflake;
  const close = () => setAsking(false);
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
        onClick={() => setAsking(true)}
      >
        {isNarrow ? <Icon size={20} aria-hidden /> : label}
      </Button>
      <FreezeDialog opened={asking && !frozen} inFlight={data?.in_flight ?? 0} onClose={close} />
      <LiftDialog opened={asking && frozen} state={data} onClose={close} />
    </>
  );
};
