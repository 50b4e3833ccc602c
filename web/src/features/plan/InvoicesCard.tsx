import type { UserInvoice } from '@daylift/contracts/billing.http';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { announceFailure } from '../../components/announce.ts';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { LoadMore } from '../../components/LoadMore.tsx';
import { useFocusOnNext } from '../../components/use-focus-on-next.ts';
import classes from './PlanCard.module.css';
import { PortalButton } from './PortalButton.tsx';
import { invoicesQuery, planQuery, useOpenPdf } from './plan.queries.ts';

const badges: Record<UserInvoice['status'], { tone: BadgeTone; label: string }> = {
  paid: { tone: 'green', label: 'Paid' },
  open: { tone: 'yellow', label: 'Open' },
  refunded: { tone: 'sky', label: 'Refunded' },
  void: { tone: 'grey', label: 'Void' },
};

const Invoice = ({ invoice, timeZone }: { invoice: UserInvoice; timeZone: string }) => {
  const { tone, label } = badges[invoice.status];
  const day = formatDay(invoice.issued_at, timeZone);
  const pdf = useOpenPdf();
  const open = () =>
    pdf.mutate(invoice.id, { onError: (error) => announceFailure('open invoice', error) });
  return (
    // Receives focus after "Load more".
    <li className={classes.invoice} tabIndex={-1}>
      <time dateTime={invoice.issued_at}>{day}</time>
      <span className={classes.amount}>{formatMoney(invoice.amount_cents, invoice.currency)}</span>
      {invoice.billed_to ? (
        <span className={classes.billed}>Billed to {invoice.billed_to}</span>
      ) : null}
      {invoice.discount_cents ? (
        <span className={classes.refund}>
          {formatMoney(invoice.discount_cents, invoice.currency)} off with a code
        </span>
      ) : null}
      {invoice.tax_cents ? (
        <span className={classes.refund}>
          including {formatMoney(invoice.tax_cents, invoice.currency)} tax
        </span>
      ) : null}
      {invoice.credit_cents > 0 ? (
        <span className={classes.refund}>
          {formatMoney(invoice.credit_cents, invoice.currency)} credit used
        </span>
      ) : null}
      {invoice.refunded_cents > 0 ? (
        <span className={classes.refund}>
          {formatMoney(invoice.refunded_cents, invoice.currency)} refunded
        </span>
      ) : null}
      {invoice.dispute ? (
        <span className={classes.refund}>
          {invoice.dispute === 'open' ? 'Your bank is reviewing it' : 'Returned by your bank'}
        </span>
      ) : null}
      <Badge tone={tone}>{label}</Badge>
      <Button
        variant="default"
        aria-label={`PDF of the invoice from ${day}`}
        loading={pdf.isPending}
        onClick={open}
      >
        PDF
      </Button>
    </li>
  );
};

const BusinessDetails = () => {
  const { data: plan } = useQuery(planQuery);
  if (!plan?.actions.includes('portal')) return null;
  return (
    <div className={classes.business}>
      <span>Need a company name, address or tax ID on your next invoices?</span>
      <PortalButton>Add Business Details</PortalButton>
    </div>
  );
};

/** All invoices, newest first. */
export const InvoicesCard = ({ timeZone }: { timeZone: string }) => {
  const query = useInfiniteQuery(invoicesQuery);
  const { list, button, focusNext } = useFocusOnNext(query.data?.length ?? 0);
  const loadMore = () => {
    focusNext();
    void query.fetchNextPage();
  };
  return (
    <DashboardCard title="Invoices">
      <QueryView query={query} empty={<p className={classes.none}>No invoices yet</p>}>
        {(invoices) => (
          <ul ref={list} className={classes.invoices} aria-label="Invoices">
            {invoices.map((invoice) => (
              <Invoice key={invoice.id} invoice={invoice} timeZone={timeZone} />
            ))}
          </ul>
        )}
      </QueryView>
      <LoadMore query={query} button={button} onLoad={loadMore} mt="sm" />
      <BusinessDetails />
    </DashboardCard>
  );
};
