import type { Me } from '@daylift/contracts/accounts.http';
import { useQuery } from '@tanstack/react-query';
import { Banner } from '../../components/Banner.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { ConfirmButton } from './ConfirmButton.tsx';
import { confirmUrl, describeOwed, describeRetry, isOwed, needsCard } from './owed-words.ts';
import { PortalButton } from './PortalButton.tsx';
import { planQuery } from './plan.queries.ts';

/** Shown on every tab except Plan while a payment is overdue. */
export const OwedBanner = ({ user }: { user: Me }) => {
  const { data: plan } = useQuery(planQuery);
  if (plan === undefined || !isOwed(plan)) return null;
  return (
    <Banner
      label="Payment failed"
      tone="red"
      action={
        confirmUrl(plan) !== null ? (
          <ConfirmButton plan={plan} />
        ) : needsCard(plan) ? (
          <PortalButton>{plan.card === null ? 'Add Card' : 'Update Card'}</PortalButton>
        ) : (
          <LinkButton look="quiet" size="small" href={paths.plan}>
            Pay Now
          </LinkButton>
        )
      }
    >
      {describeOwed(plan, user)}
      {confirmUrl(plan) === null ? null : ` ${describeRetry(plan, user)}`}
    </Banner>
  );
};
