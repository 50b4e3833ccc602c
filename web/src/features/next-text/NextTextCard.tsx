import type { Me } from '@daylift/contracts/accounts.http';
import { formatDayAndFullHour, formatLocalDate, formatZone } from '@daylift/ui/formats';
import { LogoMark } from '@daylift/ui/Logo';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import classes from './NextTextCard.module.css';
import { nextTextQuery } from './next-text.queries.ts';

/** What the subscriber can do about having no text; the service's own reason covers the rest. */
const reasonOf = (user: Me, reason: string | null | undefined): string => {
  if (user.opted_out)
    return 'You stopped the texts by reply. Text START to the same number to get them again.';
  if (user.consent === 'pending')
    return 'Reply YES to the text that we sent you, and the next one is on its way.';
  if (!user.delivery_enabled) return 'SMS delivery is disabled. Enable it in your settings.';
  if (user.paused_until) return `Paused until ${formatLocalDate(user.paused_until)}.`;
  return reason ?? 'No text is planned yet.';
};

export const NextTextCard = ({ user }: { user: Me }) => {
  const { data, isPending } = useQuery(nextTextQuery);
  const zone = data?.timezone ?? user.timezone;
  return (
    <section className={classes.card} aria-label="Next text">
      <LogoMark size={52} />
      <div>
        <h2 className={classes.title}>Your next text</h2>
        {isPending ? <Skeleton height={26} width={280} maw="100%" radius="xl" /> : null}
        {data?.next_text_at ? (
          <p className={classes.when}>
            <time dateTime={data.next_text_at}>
              {formatDayAndFullHour(data.next_text_at, zone)}
            </time>
          </p>
        ) : null}
        {data?.next_text_at ? <p className={classes.zone}>{formatZone(zone)} time</p> : null}
        {!isPending && !data?.next_text_at ? (
          <p className={classes.none}>{reasonOf(user, data?.reason)}</p>
        ) : null}
      </div>
    </section>
  );
};
