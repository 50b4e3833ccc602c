import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { MessagePage } from '../components/MessagePage.tsx';
import { SiteLayout } from './SiteLayout.tsx';

/** A page that could not be shown: most often its code is gone because a newer version is out. */
export const RouteErrorPage = () => {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <SiteLayout>
      <MessagePage title="This page could not be shown">
        <p>Please load it once more. If it happens again, come back in a few minutes.</p>
        <p>
          <a href={window.location.href}>Load the page again</a>
        </p>
      </MessagePage>
    </SiteLayout>
  );
};
