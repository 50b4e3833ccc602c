import { useAction } from '@daylift/api-client/use-action';
import type { Me } from '@daylift/contracts/accounts.http';
import { Button } from '@mantine/core';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { leaveFor } from '../../components/leaving.ts';
import { PromotionField, usablePromotion, usePromotion } from '../../components/PromotionField.tsx';
import type { PlanChoice } from '../../paths.ts';
import { TextsStayOff } from '../../session/TextsOff.tsx';

/** Opens the checkout for a user without a subscription. The signup ID is the user ID. */
export const FinishCheckout = ({
  user,
  plan,
  withCode = false,
  children,
}: {
  user: Me;
  plan: PlanChoice;
  /** Shows the field for a promotion code even without one. */
  withCode?: boolean;
  /** The button's label, or a function of the first payment with a promotion code. */
  children: string | ((firstCents: number | undefined) => string);
}) => {
  const promotion = usePromotion(null, plan, user.id);
  const checkout = useAction({
    mutationFn: async () => {
      const { url } = await call('POST /payments/create-checkout', {
        body: {
          subscription_id: user.id,
          plan,
          origin_url: window.location.origin,
          ...usablePromotion(),
        },
      });
      leaveFor(url);
    },
    onError: promotion.check,
  });
  return (
    <>
      <TextsStayOff user={user} />
      {withCode || promotion.code !== '' ? <PromotionField promotion={promotion} /> : null}
      <ActionFailure action="sign up" error={checkout.error} />
      <Button
        color="dawn"
        // A price with tax needs two lines on a phone.
        h="auto"
        mih="var(--button-height)"
        py={6}
        styles={{ label: { whiteSpace: 'normal' } }}
        loading={checkout.isPending || checkout.isSuccess}
        onClick={() => checkout.mutate()}
      >
        {typeof children === 'string' ? children : children(promotion.offer?.first_cents)}
      </Button>
    </>
  );
};
