import { Button, Group, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useCatalogue } from '../../catalogue.ts';
import { LinkButton } from '../../components/LinkButton.tsx';
import { MessagePage } from '../../components/MessagePage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { TextPage } from '../../components/TextPage.tsx';
import { paths } from '../../paths.ts';
import { paymentStatusQuery } from '../../payment-status.ts';
import { GiftForm } from './GiftForm.tsx';

const Outcome = ({ title, children }: { title: string; children: ReactNode }) => (
  <MessagePage title={title}>
    <PageTitle>{title}</PageTitle>
    <div role="status">{children}</div>
    <Group justify="center" mt="lg">
      <LinkButton look="quiet" href={paths.home}>
        Back to Home
      </LinkButton>
    </Group>
  </MessagePage>
);

/** The payment page redirects here with its session ID. */
const Payment = ({ sessionId }: { sessionId: string }) => {
  const { data, isError, isFetching, refetch } = useQuery(paymentStatusQuery(sessionId));
  const status = data?.payment_status;
  if (status === 'paid')
    return (
      <Outcome title="Thank you! Your gift is ready">
        <p>
          We've emailed you the receipt and a private gift link. Pass the link on whenever you like:
          it can be redeemed once, and it doesn't expire.
        </p>
      </Outcome>
    );
  if (status === 'pending' && !data?.open)
    return (
      <Outcome title="Your payment is on its way">
        <p>Your bank hasn't confirmed it yet. We'll email you the gift link once it has.</p>
      </Outcome>
    );
  if (isFetching && status === undefined)
    return (
      <MessagePage title="Checking payment status...">
        <PageTitle>Checking payment status</PageTitle>
        <Loader aria-hidden="true" />
      </MessagePage>
    );
  return (
    <Outcome
      title={isError ? "We couldn't check your payment" : "We haven't received your payment"}
    >
      <p>
        {isError
          ? "Please check again in a moment. If you paid, we'll email you the gift link."
          : 'If you did pay, check again in a moment. Otherwise nothing was charged, and you can start over.'}
      </p>
      <Group justify="center">
        <Button variant="default" loading={isFetching} onClick={() => refetch()}>
          Check Again
        </Button>
        {isError ? null : (
          <LinkButton look="quiet" href={paths.gift}>
            Start Over
          </LinkButton>
        )}
      </Group>
    </Outcome>
  );
};

export const GiftPage = () => {
  const sessionId = useSearchParams()[0].get('session_id');
  const name = useCatalogue()?.product_name ?? 'our texts';
  if (sessionId) return <Payment sessionId={sessionId} />;
  return (
    <TextPage
      title="Give someone kind mornings"
      lead={`Give ${name} to someone you love. We'll email you a private link to share. We won't contact them: they sign up with their own phone and choose the hour.`}
    >
      <GiftForm />
    </TextPage>
  );
};
