import { IconSnowflake } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { HeaderButton } from '../../components/HeaderButton.tsx';
import { useRequestedAction } from '../../components/use-requested-action.ts';
import { useMay } from '../../session/use-admin.ts';
import { freezeQuery } from '../../shared.queries.ts';
import { FreezeDialog } from './FreezeDialog.tsx';

/** Freezes all sending; shown on every page. While frozen, the banner has the button that resumes it. */
export const FreezeButton = () => {
  const { data } = useQuery(freezeQuery);
  const may = useMay('operator');
  const [opened, setOpened] = useState(false);
  const open = () => setOpened(true);
  useRequestedAction({ freeze: open });
  return (
    <>
      {data?.frozen ? null : (
        <HeaderButton
          icon={<IconSnowflake size={18} aria-hidden />}
          word="Freeze"
          rest="sending"
          color="red"
          title={may ? undefined : 'Only operators and owners can do this.'}
          disabled={!may || data === undefined}
          onClick={open}
        />
      )}
      <FreezeDialog
        opened={opened}
        inFlight={data?.in_flight ?? 0}
        onClose={() => setOpened(false)}
      />
    </>
  );
};
