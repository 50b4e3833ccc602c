import { useAction } from '@daylift/api-client/use-action';
import { Button } from '@mantine/core';
import { useLocation } from 'react-router';
import { accounts } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { MessagePage } from '../../components/MessagePage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';

/** Where the link leads that the old address gets when a new one is asked for. */
export const RevertChangePage = () => {
  const token = useLocation().hash.slice(1);
  const revert = useAction({ mutationFn: () => accounts.revertChange({ token }) });
  return (
    <MessagePage title={revert.isSuccess ? 'Change taken back' : 'Take back the change'}>
      <PageTitle>Take back the change</PageTitle>
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
            Your email and phone become what they were before, every device is signed out, and you
            set a new password.
          </p>
          {revert.isError ? <ActionFailure action="confirm email" error={revert.error} /> : null}
          <Button color="dawn" mt="lg" loading={revert.isPending} onClick={() => revert.mutate()}>
            Take Back the Change
          </Button>
        </>
      )}
    </MessagePage>
  );
};
