import classes from './StatusBadge.module.css';

export type BadgeTone = 'yellow' | 'green' | 'red' | 'sky' | 'grey';

/** A small label whose words carry the meaning; the colour only underlines it. */
export const Badge = ({ tone, children }: { tone: BadgeTone; children: string }) => (
  <span className={classes.badge} data-tone={tone}>
    {children}
  </span>
);

const subscriptionBadges: Record<string, { tone: BadgeTone; label: string }> = {
  trial: { tone: 'yellow', label: 'Free Trial' },
  active: { tone: 'green', label: 'Active Subscription' },
  expired: { tone: 'red', label: 'Expired' },
  canceled: { tone: 'red', label: 'Canceled' },
};

/** Any status that the catalogue does not know is shown raw, in grey. `activeLabel` is for the operator's table, which names the plan. */
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

/** Sent and delivered stand out, every other state is muted. */
export const MessageStatusBadge = ({ status }: { status: string }) => (
  <span
    className={`${classes.badge} ${classes.word}`}
    data-tone={status === 'sent' || status === 'delivered' ? 'green' : 'grey'}
  >
    {status}
  </span>
);
