import type { Me } from '@daylift/contracts/accounts.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { formatCount, formatDay, formatMoney } from '@daylift/ui/formats';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import { referralFiguresQuery } from './referrals.queries.ts';

/** Falls back to the account's own count. */
export const ReferralFiguresCard = ({ user }: { user: Me }) => {
  const { data, isPending, isError, isFetching, refetch } = useQuery(referralFiguresQuery);
  const successful = data?.successful ?? user.referral_count;
  const wait = <Skeleton height="1em" width="2em" radius="md" />;
  return (
    <DashboardCard title="Your Referrals">
      <FactList>
        <Fact name="Successful referrals">{isPending ? wait : formatCount(successful)}</Fact>
        <Fact name="Pending">{isPending ? wait : formatCount(data?.pending ?? 0)}</Fact>
        {data ? <Fact name="Earned">{formatMoney(data.earned_cents, data.currency)}</Fact> : null}
        {data && data.credit_cents > 0 ? (
          <Fact name="Credit left">{formatMoney(data.credit_cents, data.currency)}</Fact>
        ) : null}
        {data && data.credit_cents > 0 ? (
          <Fact name="Applied to">
            {data.next_bill_at === null
              ? 'Your next bill'
              : `Your bill on ${formatDay(data.next_bill_at, user.timezone)}`}
          </Fact>
        ) : null}
      </FactList>
      {isError ? <QuietRetry busy={isFetching} onRetry={refetch} /> : null}
    </DashboardCard>
  );
};
