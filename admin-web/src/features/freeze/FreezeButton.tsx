import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSnowflake } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAsked } from '../../components/use-asked.ts';
import { useMay } from '../../session/use-admin.ts';
import { freezeQuery } from '../../shared.queries.ts';
import { FreezeDialog } from './FreezeDialog.tsx';

/** Freezes all sending; shown on every page. While frozen, the banner has the button that resumes it. */
export const FreezeButton = () => {
  const { data } = useQuery(freezeQuery);
  const may = useMay('operator');
  const isNarrow = useMediaQuery('(max-width: 36em)');
  const [opened, setOpened] = useState(false);
  const open = () => setOpened(true);
  useAsked({ freeze: open });
  return (
    <>
      {data?.frozen ? null : (
        <Button
          variant="default"
          color="red"
          size="sm"
          h={44}
          miw={44}
          px={isNarrow ? 'xs' : undefined}
          aria-label="Freeze sending"
          title={may ? undefined : 'Only operators and owners can do this.'}
          disabled={!may || data === undefined}
          leftSection={isNarrow ? undefined : <IconSnowflake size={18} aria-hidden />}
          onClick={open}
        >
          {isNarrow ? <IconSnowflake size={20} aria-hidden /> : 'Freeze sending'}
        </Button>
      )}
      <FreezeDialog
        opened={opened}
        inFlight={data?.in_flight ?? 0}
        onClose={() => setOpened(false)}
      />
    </>
  );
};
