import { describeError } from '@daylift/api-client/errors';
import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanPreview } from '@daylift/contracts/billing.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { TextsStayOff } from '../../session/TextsOff.tsx';
import { PortalButton } from './PortalButton.tsx';
import type { PaidChange } from './use-paid-change.ts';

const Amounts = ({ preview, timeZone }: { preview: PlanPreview; timeZone: string }) => {
  const money = (cents: number) => formatMoney(cents, preview.currency);
  return (
    <FactList>
      <Fact name="Charged now">
        {preview.charge_now_cents === 0 ? 'Nothing' : money(preview.charge_now_cents)}
      </Fact>
      {preview.credit_cents > 0 ? (
        <Fact name="Added to your credit">{money(preview.credit_cents)}</Fact>
      ) : null}
      {preview.next_charge ? (
        <Fact name="Next charge">
          {money(preview.next_charge.amount_cents)} on {formatDay(preview.next_charge.at, timeZone)}
        </Fact>
      ) : null}
    </FactList>
  );
};

const Failure = ({ priceChanged, declined, change }: PaidChange) => {
  if (!change.isError) return null;
  if (priceChanged)
    return <FormMessage>The amount has changed. Please check it and confirm again.</FormMessage>;
  return (
    <ActionFailure action="change plan" error={change.error}>
      {declined ? <PortalButton>Change Your Card</PortalButton> : null}
    </ActionFailure>
  );
};

/** The charge now, the next charge, whether texts stay off, and any error. */
export const ChargeFacts = ({ paid, user }: { paid: PaidChange; user: Me }) => {
  const { preview } = paid;
  return (
    <div aria-live="polite">
      <QueryView
        // A failed refresh hides the amount, which may have changed.
        query={preview.isError ? { ...preview, data: undefined } : preview}
        lines={4}
        title="We couldn't get the price"
        describe={(error) => describeError('change plan', error)}
      >
        {(amounts) => <Amounts preview={amounts} timeZone={user.timezone} />}
      </QueryView>
      <TextsStayOff user={user} />
      <Failure {...paid} />
    </div>
  );
};
