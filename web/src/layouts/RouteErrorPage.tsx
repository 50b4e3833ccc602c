import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { MessagePage } from '../components/MessagePage.tsx';
import { SiteLayout } from './SiteLayout.tsx';

export const RouteErrorPage = () => {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <SiteLayout>
      <MessagePage title="This page couldn't be loaded">
        <p>Please reload it. If that doesn't help, come back in a few minutes.</p>
        <p>
          <a href={window.location.href}>Reload page</a>
        </p>
      </MessagePage>
    </SiteLayout>
  );
};
