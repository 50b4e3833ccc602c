import type { SmsBatch } from '@daylift/contracts/sms.http';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  alertSettingsQuery,
  batchesQuery,
  contentCalendarQuery,
  dailyTextsQuery,
  disputesQuery,
  distressQuery,
  failedQuery,
  freezeQuery,
  libraryRunwayQuery,
  openQuery,
  testingModeQuery,
} from '../../shared.queries.ts';
import classes from './AttentionStrip.module.css';
import { needsAttention } from './attention.ts';
import { cardDays } from './business.ts';

const useTextsOf = (date: string | undefined) =>
  useQuery(dailyTextsQuery(cardDays)).data?.find((day) => day.date === date);

/** Waits for an operator. */
const isHeld = ({ status, stop }: SmsBatch) => status === 'stopped' && stop?.resumes_at === null;

/** Links to everything that an operator should look at. Absent when there is nothing. */
export const AttentionStrip = ({ date }: { date: string | undefined }) => {
  const notices = needsAttention({
    freeze: useQuery(freezeQuery).data,
    testingMode: useQuery(testingModeQuery).data?.testing_mode_enabled,
    alerts: useQuery(alertSettingsQuery).data,
    isInDistress: useQuery(distressQuery).data,
    openConversations: useQuery(openQuery).data,
    failedEvents: useQuery(failedQuery).data?.total,
    texts: useTextsOf(date),
    heldBatches: useQuery(batchesQuery).data?.filter(isHeld).length,
    calendar: useQuery(contentCalendarQuery).data,
    runway: useQuery(libraryRunwayQuery).data,
    disputes: useQuery(disputesQuery).data,
  });
  if (notices.length === 0) return null;
  return (
    <section className={classes.strip} aria-label="Needs attention">
      <ul>
        {notices.map(({ words, to, isUrgent }) => (
          <li key={words}>
            <Link
              to={to}
              // Lets the browser move the focus to a banner of this page.
              reloadDocument={to.startsWith('#')}
              className={classes.notice}
              data-urgent={isUrgent}
            >
              {isUrgent ? <IconAlertTriangle size={18} aria-hidden /> : null}
              {words}
              <IconArrowRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
