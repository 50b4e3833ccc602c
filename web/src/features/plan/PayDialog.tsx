import { ApiError } from '@daylift/api-client/request';
import { formatMoney } from '@daylift/ui/formats';
import { Stack, Text } from '@mantine/core';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { TextsStayOff } from '../../session/TextsOff.tsx';
import { type PlanChangeProps, PlanDialog } from './PlanDialog.tsx';
import { PortalButton } from './PortalButton.tsx';
import { usePayOwed } from './plan.queries.ts';
import { cardInWords } from './plan-words.ts';

/** Pays what is owed after a failed payment, with the card on file. */
export const PayDialog = ({ opened, plan, user, onClose, onClosed }: PlanChangeProps) => {
  const pay = usePayOwed();
  const declined = pay.error instanceof ApiError && pay.error.code === 'PAYMENT_DECLINED';
  const cents = plan.owed?.amount_cents ?? 0;
  const amount = formatMoney(cents, plan.currency);
  const close = () => {
    pay.reset();
    onClose();
  };
  const confirm = () =>
    pay.mutate(cents, {
      onSuccess: (_plan, paidCents) => {
        announce(
          `Thank you! Your payment of ${formatMoney(paidCents, plan.currency)} went through.`,
          'good',
        );
        close();
      },
    });
  return (
    <PlanDialog
      opened={opened}
      title={`Pay ${amount} now?`}
      confirmLabel={`Pay ${amount}`}
      tone={declined ? 'quiet' : 'dawn'}
      busy={pay.isPending}
      onConfirm={confirm}
      onClose={close}
      onClosed={onClosed}
    >
      <Stack gap="md">
        <Text>We'll charge your {plan.card ? cardInWords(plan.card) : 'card'}.</Text>
        <TextsStayOff user={user} />
        <ActionFailure action="change plan" error={pay.error}>
          {declined ? (
            <PortalButton mt="sm" variant="filled" color="dawn">
              Update Card
            </PortalButton>
          ) : null}
        </ActionFailure>
      </Stack>
    </PlanDialog>
  );
};
