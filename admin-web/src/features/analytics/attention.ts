import type { UnansweredDisputeList } from '@daylift/contracts/billing.http';
import type { FreezeState } from '@daylift/contracts/freeze.http';
import type { LibraryRunway } from '@daylift/contracts/library-runway.http';
import type { ContentCalendar } from '@daylift/contracts/scheduled-messages.http';
import type { AlertSettings } from '@daylift/contracts/sms-operations.http';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { counted } from '../../components/counted.ts';
import { paths } from '../../paths.ts';

export interface Notice {
  words: string;
  /** Where it's fixed. */
  to: string;
  isUrgent: boolean;
}

interface Facts {
  freeze?: Pick<FreezeState, 'frozen' | 'provider'> | undefined;
  testingMode?: boolean | undefined;
  alerts?: Pick<AlertSettings, 'alert_email'> | undefined;
  isInDistress?: boolean | undefined;
  openConversations?: number | undefined;
  failedEvents?: number | undefined;
  heldBatches?: number | undefined;
  /** Today's texts. */
  texts?: { failed: number; unknown: number; date: string } | undefined;
  calendar?: ContentCalendar | undefined;
  runway?: Pick<LibraryRunway, 'categories'> | undefined;
  disputes?: UnansweredDisputeList | undefined;
}

/** Days that a message can still be written for without hurry. */
const nearDays = 7;

function contentNotice({ days, library }: ContentCalendar): Notice | null {
  if (!library.is_enough)
    return {
      words: `The library is too small for ${counted(library.days_without_message, 'day', 'days')} without a message`,
      to: paths.library,
      isUrgent: true,
    };
  const empty = days.slice(0, nearDays).filter(({ daily }) => daily === null).length;
  if (empty === 0) return null;
  const have = empty === 1 ? 'has' : 'have';
  return {
    words: `${empty} of the next ${nearDays} days ${have} no message`,
    to: paths.calendar,
    isUrgent: false,
  };
}

/** Days left at which a warning appears, and at which it becomes urgent. */
const runway = { warn: 14, urgent: 2 };

/** Skips used-up categories: operators were already warned, and repeats are allowed. */
const runwayNotices = ({ categories }: Pick<LibraryRunway, 'categories'>): Notice[] =>
  categories.flatMap(({ category, days }) =>
    days === null || days === 0 || days > runway.warn
      ? []
      : [
          {
            words: `Library texts in "${category}" run out in ${counted(days, 'day', 'days')}`,
            to: paths.library,
            isUrgent: days <= runway.urgent,
          },
        ],
  );
/** Links to the subscriber with the most urgent dispute. */
function disputeNotice(disputes: UnansweredDisputeList): Notice | null {
  const [first] = disputes;
  if (first?.respond_by == null) return null;
  const by = formatDay(first.respond_by);
  const { length } = disputes;
  return {
    words:
      length === 1
        ? `A payment of ${formatMoney(first.amount_cents, first.currency)} is disputed: respond by ${by}`
        : `${length} payments are disputed: respond to the first by ${by}`,
    to: first.user_id === null ? paths.subscribers : paths.subscriber(first.user_id),
    isUrgent: true,
  };
}

/** Returns what an operator should look at, urgent first. Missing facts are ignored. */
export function needsAttention(facts: Facts): Notice[] {
  const { freeze, texts, openConversations = 0, failedEvents = 0, heldBatches = 0 } = facts;
  const notices: Notice[] = [];
  const add = (is: boolean | undefined, words: string, to: string, isUrgent = false) => {
    if (is) notices.push({ words, to, isUrgent });
  };
  add(facts.isInDistress, 'Someone may be in danger: read their message', paths.inbox, true);
  add(freeze?.frozen, 'Sending is frozen', '#frozen', true);
  add(freeze?.provider != null, `Provider: ${freeze?.provider?.problem}`, '#provider', true);
  add(facts.testingMode, 'Testing mode is on: subscribers get no texts', paths.testingMode, true);
  add(
    heldBatches > 0,
    `${counted(heldBatches, 'batch is', 'batches are')} held`,
    paths.batches,
    true,
  );
  if (texts) {
    const log = (status: string) => `${paths.deliveryLog}?status=${status}&from=${texts.date}`;
    const { failed, unknown } = texts;
    add(failed > 0, `${counted(failed, 'text', 'texts')} failed today`, log('failed'), true);
    const words = counted(unknown, 'text today has an', 'texts today have an');
    add(unknown > 0, `${words} unknown outcome`, log('unknown'), true);
  }
  add(
    failedEvents > 0,
    counted(failedEvents, 'failed event', 'failed events'),
    paths.failedEvents,
    true,
  );
  add(
    openConversations > 0,
    counted(openConversations, 'open conversation', 'open conversations'),
    paths.inbox,
  );
  const disputed = facts.disputes ? disputeNotice(facts.disputes) : null;
  if (disputed) notices.push(disputed);
  const content = facts.calendar ? contentNotice(facts.calendar) : null;
  if (content) notices.push(content);
  notices.push(...(facts.runway ? runwayNotices(facts.runway) : []));
  add(facts.alerts?.alert_email === '', 'Failure alerts have no email address', paths.alerts);
  return notices.toSorted((one, other) => Number(other.isUrgent) - Number(one.isUrgent));
}
