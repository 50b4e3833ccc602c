import './signed-in.css';
import type { Me } from '@daylift/contracts/accounts.http';
import { QueryView } from '@daylift/ui/QueryView';
import { Notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ConnectionNotice } from '../components/ConnectionNotice.tsx';
import { useFreshOnReturn } from '../components/leaving.ts';
import { paths } from '../paths.ts';
import { currentUserQuery } from './current-user.ts';
import { useInterrupted, useSignedOut, useToken, waitForSignIn } from './keep-session.ts';
import { SignInAgain } from './SignInAgain.tsx';

/**
 * Wraps a signed-in page. Without a valid token it redirects to the login, or, while a form is being edited, asks to
 * sign in again in place.
 */
export const ForSubscriber = ({
  loading,
  children,
}: {
  loading: ReactNode;
  children: (user: Me) => ReactNode;
}) => {
  const token = useToken();
  const interrupted = useInterrupted();
  const signedOut = useSignedOut();
  const { pathname, search } = useLocation();
  const me = useQuery({ ...currentUserQuery, enabled: token !== null });
  useEffect(waitForSignIn, []);
  useFreshOnReturn();
  if (signedOut) return null;
  if (token === null && !interrupted)
    return <Navigate to={paths.loginFor(pathname + search)} replace state="session ended" />;
  return (
    <>
      <Notifications position="top-center" />
      <ConnectionNotice />
      <QueryView query={me} loading={loading} heading="h1" title="We couldn't load your dashboard">
        {(user) => (
          <>
            {children(user)}
            <SignInAgain user={user} opened={interrupted} />
          </>
        )}
      </QueryView>
    </>
  );
};
