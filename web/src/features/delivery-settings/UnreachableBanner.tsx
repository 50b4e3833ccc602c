import type { Me } from '@daylift/contracts/accounts.http';
import type { UnreachableReason } from '@daylift/contracts/fields';
import { Button, Group } from '@mantine/core';
import { announce, announceFailure } from '../../components/announce.ts';
import { Banner } from '../../components/Banner.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { useAskConsentAgain } from './delivery-settings.queries.ts';

const why: Record<UnreachableReason, string> = {
  landline: "It seems to be a landline, which can't get texts.",
  undelivered: "Your last three texts didn't arrive.",
  disconnected: "Your carrier says it isn't a working mobile number.",
  inactive: "We haven't texted it for 45 days, so please confirm that it's still yours.",
};

const TryAgain = () => {
  const ask = useAskConsentAgain();
  return (
    <Button
      variant="default"
      loading={ask.isPending}
      onClick={() =>
        ask.mutate(undefined, {
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
          <LinkButton look="quiet" size="small" href={paths.settings}>
            Check or change your number
          </LinkButton>
          {user.phone_needs_code ? null : <TryAgain />}
        </Group>
      }
    >
      {label}. {why[reason]} Your texts are paused, and your plan is billed as usual.
    </Banner>
  );
};
