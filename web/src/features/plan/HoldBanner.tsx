import type { Me } from '@daylift/contracts/accounts.http';
import { useQuery } from '@tanstack/react-query';
import { Banner } from '../../components/Banner.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { describeHold } from './hold-words.ts';
import { planQuery } from './plan.queries.ts';

/** Shown on every tab except Plan while a disputed or refunded payment stops the texts. */
export const HoldBanner = ({ user }: { user: Me }) => {
  const { data: plan } = useQuery(planQuery);
  const words = plan && plan.status !== 'canceled' ? describeHold(plan, user) : null;
  if (words === null) return null;
  return (
    <Banner
      label={plan?.hold === 'refunded' ? 'Payment refunded' : 'Payment under review'}
      action={
        <LinkButton look="quiet" size="small" href={paths.plan}>
          See Plan
        </LinkButton>
      }
    >
      {words}
    </Banner>
  );
};
