import { LinkButton } from '../components/LinkButton.tsx';
import { MessagePage } from '../components/MessagePage.tsx';
import { PageTitle } from '../components/PageTitle.tsx';
import { paths } from '../paths.ts';

/** Shown after an account is deleted. */
export const GoodbyePage = () => (
  <MessagePage title="Goodbye, and thank you">
    <PageTitle>Goodbye</PageTitle>
    <p role="status">
      Your account has been deleted. Your texts have stopped, your plan has ended, and you won't be
      charged again.
    </p>
    <p>We've emailed you a confirmation. You're welcome back anytime.</p>
    <LinkButton look="call" href={paths.home}>
      Back to Home
    </LinkButton>
  </MessagePage>
);
