import { useAction } from '@daylift/api-client/use-action';
import type { Me } from '@daylift/contracts/accounts.http';
import { Button } from '@mantine/core';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { leaveFor } from '../../components/leaving.ts';
import type { PlanChoice } from '../../paths.ts';
import { TextsStayOff } from '../../session/TextsOff.tsx';

/** Opens the checkout for a user without a subscription. The signup ID is the user ID. */
export const FinishCheckout = ({
  user,
  plan,
  children,
}: {
  user: Me;
  plan: PlanChoice;
  children: string;
}) => {
  const checkout = useAction({
    mutationFn: async () => {
      const { url } = await call('POST /payments/create-checkout', {
        body: { subscription_id: user.id, plan, origin_url: window.location.origin },
      });
      leaveFor(url);
    },
  });
  return (
    <>
      <TextsStayOff user={user} />
      <ActionFailure action="sign up" error={checkout.error} />
      <Button
        color="dawn"
        loading={checkout.isPending || checkout.isSuccess}
        onClick={() => checkout.mutate()}
      >
        {children}
      </Button>
    </>
  );
};
