import type { Me } from '@daylift/contracts/accounts.http';
import { whyUnreachable } from '@daylift/delivery/why-unreachable';
import { Button, Group } from '@mantine/core';
import { announce, announceFailure } from '../../components/announce.ts';
import { Banner } from '../../components/Banner.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { useResendConsentRequest } from './delivery-settings.queries.ts';

const TryAgain = () => {
  const request = useResendConsentRequest();
  return (
    <Button
      variant="default"
      loading={request.isPending}
      onClick={() =>
        request.mutate(undefined, {
          onSuccess: ({ detail }) => announce(detail, 'good'),
          onError: (error) => announceFailure('ask for consent', error),
        })
      }
    >
      Try Again
    </Button>
  );
};

/** Shown on every tab while texts wait because they don't reach the number. */
export const UnreachableBanner = ({ user }: { user: Me }) => {
  if (!user.unreachable || user.opted_out || user.pending_phone !== null) return null;
  const { reason, number } = user.unreachable;
  const label = reason === 'inactive' ? `Please confirm ${number}` : `We can't reach ${number}`;
  return (
    <Banner
      label={label}
      action={
        <Group gap="sm">
          <LinkButton look="call" size="small" href={paths.settings}>
            Check or Change Your Number
          </LinkButton>
          <TryAgain />
        </Group>
      }
    >
      {label}. {whyUnreachable[reason]} Your texts are paused, and your plan is billed as usual.
    </Banner>
  );
};
