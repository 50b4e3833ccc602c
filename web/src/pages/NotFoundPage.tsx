import { LinkButton } from '../components/LinkButton.tsx';
import { MessagePage } from '../components/MessagePage.tsx';
import { PageTitle } from '../components/PageTitle.tsx';
import { paths } from '../paths.ts';

export const NotFoundPage = () => (
  <MessagePage title="There is nothing at this address">
    <PageTitle>Page not found</PageTitle>
    <p>The link may be old, or a letter may be missing.</p>
    <LinkButton look="call" href={paths.home}>
      Back to Home
    </LinkButton>
  </MessagePage>
);
