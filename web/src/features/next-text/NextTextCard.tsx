import type { Me } from '@daylift/contracts/accounts.http';
import type { NextText } from '@daylift/contracts/scheduler.http';
import {
  formatDayAndFullHour,
  formatLocalDate,
  formatWeekday,
  formatZoneCity,
} from '@daylift/ui/formats';
import { LogoMark } from '@daylift/ui/Logo';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LinkButton } from '../../components/LinkButton.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import { paths } from '../../paths.ts';
import { usePausedUntil, useResume } from '../../session/pause.ts';
import { useToday } from '../../session/today.ts';
import classes from './NextTextCard.module.css';
import { nextTextQuery } from './next-text.queries.ts';
import { ResendConsentRequest } from './ResendConsentRequest.tsx';

const ToSettings = () => (
  <div className={classes.step}>
    <LinkButton look="call" size="small" href={paths.settings}>
      Open Settings
    </LinkButton>
  </div>
);

/** Reasons why no text can come, with what the subscriber can do. */
const standstill = (user: Me): { words: string; step: ReactNode } | null => {
  if (user.phone === '' && user.pending_phone === null)
    return {
      words: 'Your account has no phone number. Add yours in Settings to get your texts.',
      step: <ToSettings />,
    };
  if (user.opted_out)
    return {
      words: 'Your texts are off until you text START.',
      step: null,
    };
  if (user.unreachable && user.pending_phone === null)
    return {
      words: `Your texts are paused until you confirm ${user.unreachable.number} or change it.`,
      step: null,
    };
  if (user.consent !== 'granted')
    return {
      words:
        'Reply YES to our text to start getting your texts. If none comes, confirm your number with a code in Settings.',
      step: <ResendConsentRequest />,
    };
  if (!user.delivery_enabled)
    return {
      words: 'SMS delivery is disabled. Enable it in your settings.',
      step: <ToSettings />,
    };
  return null;
};

const Planned = ({ at, zone }: { at: string; zone: string }) => {
  const now = `${useToday(zone)}T12:00:00Z`;
  return (
    <>
      <p className={classes.when}>
        <time dateTime={at}>{formatDayAndFullHour(at, zone, now)}</time>
      </p>
      <p className={classes.zone}>{formatZoneCity(zone)} time</p>
    </>
  );
};

const Paused = ({ until }: { until: string }) => {
  const { resume, busy } = useResume();
  return (
    <>
      <p className={classes.none}>Your texts are paused until {formatLocalDate(until)}.</p>
      <div className={classes.step}>
        <Button color="dawn" loading={busy} onClick={resume}>
          Resume
        </Button>
      </div>
    </>
  );
};

const rhythmOf = ({ delivery_frequency, delivery_weekday }: Me): string =>
  delivery_frequency === 'weekly' && delivery_weekday !== null
    ? `Then every ${formatWeekday(delivery_weekday)} at the same time.`
    : 'Then every day at the same time.';

const Answer = ({ user, next, isFirst }: { user: Me; next: NextText; isFirst: boolean }) => {
  const pausedUntil = usePausedUntil(user);
  const blocked = standstill(user);
  if (blocked)
    return (
      <>
        <p className={classes.none}>{blocked.words}</p>
        {blocked.step}
      </>
    );
  return (
    <>
      {next.next_text_at === null ? null : (
        <>
          <Planned at={next.next_text_at} zone={next.timezone ?? user.timezone} />
          {isFirst ? <p className={classes.rhythm}>{rhythmOf(user)}</p> : null}
        </>
      )}
      {pausedUntil === null ? null : <Paused until={pausedUntil} />}
      {next.next_text_at === null && pausedUntil === null ? (
        <p className={classes.none}>{next.reason ?? 'No text is scheduled yet.'}</p>
      ) : null}
    </>
  );
};

export const NextTextCard = ({ user, isFirst }: { user: Me; isFirst: boolean }) => {
  const { data, isError, isFetching, refetch } = useQuery(nextTextQuery);
  return (
    <section className={classes.card} aria-label="Next text" data-first={isFirst || undefined}>
      <LogoMark size={52} />
      <div aria-live="polite">
        <h2 className={classes.title}>{isFirst ? 'Your first text' : 'Your next text'}</h2>
        {!data && !isError ? (
          // As tall as what follows, because it's centered.
          <Skeleton height={isFirst ? 130 : 26} width={280} maw="100%" radius="lg" />
        ) : null}
        {data ? <Answer user={user} next={data} isFirst={isFirst} /> : null}
        {!data && isError ? <QuietRetry busy={isFetching} onRetry={refetch} /> : null}
      </div>
    </section>
  );
};
