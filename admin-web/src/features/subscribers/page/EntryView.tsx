import type { TimelineEntry, TimelineKind } from '@daylift/contracts/timeline.http';
import { Text } from '@mantine/core';
import {
  IconAdjustments,
  IconCreditCard,
  IconMessage,
  IconMessageOff,
  IconMessageReply,
} from '@tabler/icons-react';
import { Time } from '../../../components/Time.tsx';
import classes from './SubscriberPage.module.css';

const icons: Record<TimelineKind, typeof IconMessage> = {
  texts: IconMessage,
  decisions: IconMessageOff,
  replies: IconMessageReply,
  payments: IconCreditCard,
  changes: IconAdjustments,
};

export const EntryView = ({ entry, timezone }: { entry: TimelineEntry; timezone: string }) => {
  const Icon = icons[entry.kind];
  return (
    <li className={classes.entry}>
      <span className={classes.icon} data-tone={entry.tone}>
        <Icon size={20} aria-hidden />
      </span>
      <div className={classes.words}>
        <Text fw={700}>{entry.title}</Text>
        <Text c="dimmed" fz="sm">
          <Time at={entry.at} zone={timezone} format="timeOnly" />
          {entry.by === null ? null : `, ${entry.by}`}
        </Text>
        {entry.detail === null ? null : <Text>{entry.detail}</Text>}
        {entry.quote === null ? null : (
          <blockquote className={classes.quote}>{entry.quote}</blockquote>
        )}
        {entry.steps.length === 0 ? null : (
          <details className={classes.more}>
            <summary>Details</summary>
            <ol>
              {entry.steps.map((step) => (
                <li key={`${step.at}${step.what}`}>
                  <Time at={step.at} zone={timezone} />: {step.what}
                </li>
              ))}
            </ol>
          </details>
        )}
      </div>
    </li>
  );
};
