import classes from './StatusBadge.module.css';

export type BadgeTone = 'yellow' | 'green' | 'red' | 'sky' | 'grey';

/** A small label. Its text carries the meaning; color is only a hint. */
export const Badge = ({ tone, children }: { tone: BadgeTone; children: string }) => (
  <span className={classes.badge} data-tone={tone}>
    {children}
  </span>
);

const subscriptionBadges: Record<string, { tone: BadgeTone; label: string }> = {
  trial: { tone: 'yellow', label: 'Free Trial' },
  active: { tone: 'green', label: 'Active Subscription' },
  free_access: { tone: 'green', label: 'Free Access' },
  expired: { tone: 'red', label: 'Expired' },
  canceled: { tone: 'red', label: 'Canceled' },
};

/** Explains statuses whose badge shows the raw value. */
export const statusMeanings: Record<string, string> = {
  past_due: 'Last payment failed',
  pending: 'Checkout not finished',
};

/** Subscription status; unknown ones are shown raw, in gray. `activeLabel` is the plan name in the operators' table. */
export const SubscriptionStatusBadge = ({
  status,
  activeLabel,
}: {
  status: string;
  activeLabel?: string;
}) => {
  const known = subscriptionBadges[status];
  if (!known) return <Badge tone="grey">{status}</Badge>;
  return (
    <Badge tone={known.tone}>
      {status === 'active' ? (activeLabel ?? known.label) : known.label}
    </Badge>
  );
};

/** Text status; sent and delivered are highlighted, all others muted. */
export const MessageStatusBadge = ({ status }: { status: string }) => (
  <span
    className={`${classes.badge} ${classes.word}`}
    data-tone={status === 'sent' || status === 'delivered' ? 'green' : 'grey'}
  >
    {status}
  </span>
);
