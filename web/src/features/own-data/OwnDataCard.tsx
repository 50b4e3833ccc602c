import { download } from '@daylift/api-client/download';
import { useAction } from '@daylift/api-client/use-action';
import { saveFile } from '@daylift/ui/save-file';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';
import classes from './OwnDataCard.module.css';

const Download = () => {
  const fetching = useAction({
    mutationFn: () => download(client, 'GET /users/me/export'),
    onSuccess: ({ file, name }) => saveFile(file, name ?? 'my-data.json'),
  });
  return (
    <div className={classes.part}>
      <h3>Download my data</h3>
      <p>Everything we keep about you, in one file (JSON).</p>
      <ActionFailure action="export data" error={fetching.error} />
      <Button variant="default" loading={fetching.isPending} onClick={() => fetching.mutate()}>
        Download My Data
      </Button>
      <Text role="status" fz="sm" c="dimmed">
        {fetching.isPending ? 'Preparing your data...' : null}
        {fetching.isSuccess ? 'Your data has been downloaded.' : null}
      </Text>
    </div>
  );
};

const Deletion = () => {
  const [confirming, setConfirming] = useState(false);
  return (
    <div className={classes.part}>
      <h3>Delete my account</h3>
      <p>Ends your subscription and removes your data. This can't be undone.</p>
      <Button variant="outline" color="red" onClick={() => setConfirming(true)}>
        Delete My Account
      </Button>
      <DeleteAccountDialog opened={confirming} onClose={() => setConfirming(false)} />
    </div>
  );
};

/** Data export and account deletion. */
export const OwnDataCard = () => (
  <DashboardCard title="Your Data">
    <Download />
    <Deletion />
  </DashboardCard>
);
