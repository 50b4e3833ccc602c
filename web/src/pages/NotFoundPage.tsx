import { LinkButton } from '../components/LinkButton.tsx';
import { MessagePage } from '../components/MessagePage.tsx';
import { PageTitle } from '../components/PageTitle.tsx';
import { paths } from '../paths.ts';

export const NotFoundPage = () => (
  <MessagePage title="Page not found">
    <PageTitle>Page not found</PageTitle>
    <p>The link may be out of date, or the address may have a typo.</p>
    <LinkButton look="call" href={paths.home}>
      Back to Home
    </LinkButton>
  </MessagePage>
);
