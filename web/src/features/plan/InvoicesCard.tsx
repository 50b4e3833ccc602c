import type { UserInvoice } from '@daylift/contracts/billing.http';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { useQuery } from '@tanstack/react-query';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import classes from './PlanCard.module.css';
import { invoicesQuery } from './plan.queries.ts';

const badges: Record<UserInvoice['status'], { tone: BadgeTone; label: string }> = {
  paid: { tone: 'green', label: 'Paid' },
  open: { tone: 'yellow', label: 'Open' },
  refunded: { tone: 'sky', label: 'Refunded' },
  void: { tone: 'grey', label: 'Void' },
};

const Invoice = ({ invoice, timeZone }: { invoice: UserInvoice; timeZone: string }) => {
  const { tone, label } = badges[invoice.status];
  return (
    <li className={classes.invoice}>
      <time dateTime={invoice.issued_at}>{formatDay(invoice.issued_at, timeZone)}</time>
      <span className={classes.amount}>{formatMoney(invoice.amount_cents, invoice.currency)}</span>
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
      <Badge tone={tone}>{label}</Badge>
    </li>
  );
};

export const InvoicesCard = ({ timeZone }: { timeZone: string }) => (
  <DashboardCard title="Invoices">
    <QueryView
      query={useQuery(invoicesQuery)}
      empty={<p className={classes.none}>No invoices yet</p>}
    >
      {(invoices) => (
        <ul className={classes.invoices} aria-label="Invoices">
          {invoices.map((invoice) => (
            <Invoice key={invoice.id} invoice={invoice} timeZone={timeZone} />
          ))}
        </ul>
      )}
    </QueryView>
  </DashboardCard>
);
