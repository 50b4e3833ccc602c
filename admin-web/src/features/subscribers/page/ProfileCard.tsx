import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { unreachableInWords } from '@daylift/delivery/reason-words';
import { Fact, FactList } from '@daylift/ui/FactList';
import {
  capitalized,
  formatHour,
  formatLocalDate,
  formatWeekday,
  formatZone,
} from '@daylift/ui/formats';
import { Text } from '@mantine/core';
import { Section } from '../../../components/Section.tsx';
import { SubscriberLink } from '../../../components/SubscriberLink.tsx';
import { Time } from '../../../components/Time.tsx';

const frequencyInWords = ({ delivery_frequency, delivery_weekday }: AdminSubscriber): string => {
  if (delivery_frequency === 'daily') return 'Daily';
  return delivery_weekday === null ? 'Weekly' : `Weekly, on ${formatWeekday(delivery_weekday)}s`;
};

const NextText = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const { next_text_at, why_no_next_text, timezone } = subscriber;
  if (next_text_at !== null) return <Time at={next_text_at} zone={timezone} />;
  return <>{why_no_next_text === null ? 'Unavailable' : `None. ${why_no_next_text}`}</>;
};

const Referrals = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const { referral_code: code, referral_count: count } = subscriber;
  if (code === null) return <>No code yet</>;
  return (
    <>
      {code}, {count === 1 ? '1 referral' : `${count} referrals`}
    </>
  );
};

const Pending = ({ value, until }: { value: string | null; until: string }) =>
  value === null ? null : (
    <Text c="dimmed" fz="sm">
      Changes to {value} once {until}
    </Text>
  );

const NumberLine = ({ line }: { line: AdminSubscriber['number_line'] }) => {
  const words = [line?.type, line?.carrier].filter((word) => word);
  return words.length === 0 ? null : (
    <Text c="dimmed" fz="sm">
      {capitalized(words.join(', '))}
    </Text>
  );
};

const textsInWords = (subscriber: AdminSubscriber): string => {
  const { delivery_enabled, opted_out, paused_until, today } = subscriber;
  const isOff = !delivery_enabled || opted_out;
  if (paused_until === null || today >= paused_until) return isOff ? 'Off' : 'On';
  const end = formatLocalDate(paused_until);
  return isOff ? `Off, and paused until ${end}` : `Paused until ${end}`;
};

export const ProfileCard = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const { timezone, referred_by } = subscriber;
  return (
    <Section title="Profile">
      <FactList>
        <Fact name="Email">
          {subscriber.email}
          <Pending value={subscriber.pending_email} until="they open the link we emailed" />
        </Fact>
        <Fact name="Phone">
          {subscriber.phone}
          <NumberLine line={subscriber.number_line} />
          <Pending value={subscriber.pending_phone} until="they reply YES from it" />
        </Fact>
        <Fact name="Delivery time">
          {formatHour(subscriber.delivery_time)}, {formatZone(timezone)}
        </Fact>
        <Fact name="Frequency">{frequencyInWords(subscriber)}</Fact>
        <Fact name="Texts">{textsInWords(subscriber)}</Fact>
        {!subscriber.unreachable || subscriber.unreachable_since === null ? null : (
          <Fact name="Unreachable">
            Since <Time at={subscriber.unreachable_since} zone={timezone} />:{' '}
            {unreachableInWords(subscriber.unreachable)}. Texts wait until they reply YES or change
            the number.
          </Fact>
        )}
        <Fact name="Next text">
          <NextText subscriber={subscriber} />
        </Fact>
        <Fact name="Referrals">
          <Referrals subscriber={subscriber} />
        </Fact>
        {referred_by === null ? null : (
          <Fact name="Referred by">
            <SubscriberLink id={referred_by.id}>{referred_by.name}</SubscriberLink>
          </Fact>
        )}
        <Fact name="Member since">
          <Time at={subscriber.created_at} zone={timezone} />
        </Fact>
      </FactList>
    </Section>
  );
};
