import { useAction } from '@daylift/api-client/use-action';
import { Button } from '@mantine/core';
import { useLocation } from 'react-router';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { MessagePage } from '../../components/MessagePage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';

/** The target of the link that the old email and phone get when a change is requested. */
export const RevertChangePage = () => {
  const token = useLocation().hash.slice(1);
  const revert = useAction({
    mutationFn: () => call('POST /users/revert-change', { body: { token } }),
  });
  return (
    <MessagePage title={revert.isSuccess ? 'Change undone' : 'Undo the change'}>
      <PageTitle>Undo the change</PageTitle>
      {revert.isSuccess ? (
        <>
          <p role="status">{revert.data.detail} Please set a new password now.</p>
          <LinkButton look="call" href={paths.login}>
            Set a New Password
          </LinkButton>
        </>
      ) : (
        <>
          <p>
            This restores your previous email and phone, signs out all devices, and lets you set a
            new password.
          </p>
          <ActionFailure action="confirm email" error={revert.error} />
          <Button color="dawn" mt="lg" loading={revert.isPending} onClick={() => revert.mutate()}>
            Undo the Change
          </Button>
        </>
      )}
    </MessagePage>
  );
};
