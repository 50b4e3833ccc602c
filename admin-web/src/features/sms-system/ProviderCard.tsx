import type { ProviderInfo } from '@daylift/contracts/sms-operations.http';
import { formatCount, formatMoney, formatTextPrice } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { counted } from '../../components/counted.ts';
import { Section } from '../../components/Section.tsx';
import { Time } from '../../components/Time.tsx';
import { freezeQuery } from '../../shared.queries.ts';
import classes from './ProviderCard.module.css';
import { providerQuery } from './sms-system.queries.ts';

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.row}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Paused = ({ pause }: { pause: NonNullable<ProviderInfo['pause']> }) => (
  <Stack gap={4} className={classes.paused}>
    <Text fw={800}>Sending is paused. {pause.reason}</Text>
    <Text>
      Since <Time at={pause.since} />. Next retry: <Time at={pause.next_probe_at} />. Once it
      succeeds, texts that are still on time go out. What to do: {pause.advice}
    </Text>
  </Stack>
);

const State = ({ isPaused }: { isPaused: boolean }) => {
  const isFrozen = useQuery(freezeQuery).data?.frozen === true;
  if (isFrozen) return <Badge tone="red">Frozen</Badge>;
  return <Badge tone={isPaused ? 'red' : 'green'}>{isPaused ? 'Paused' : 'Sending'}</Badge>;
};

const BlockList = ({ list }: { list: NonNullable<ProviderInfo['block_list']> }) => {
  const { checked_at, blocked, added, only_here, lifted } = list;
  return (
    <>
      {counted(blocked, 'number', 'numbers')} blocked by the provider
      {added === 0 ? '' : `, ${formatCount(added)} of them opted out here by the last check`}.{' '}
      {only_here === 0 ? '' : `${counted(only_here, 'number', 'numbers')} opted out only here`}
      {lifted === 0 ? '' : `, ${formatCount(lifted)} of them unblocked by the provider`}
      {only_here === 0 ? '' : '. '}
      Checked <Time at={checked_at} />
    </>
  );
};

const SpendLimit = ({ limit }: { limit: NonNullable<ProviderInfo['spend_limit']> }) => {
  const { spent, reserved, texts_left, refused } = limit;
  return (
    <>
      About {formatMoney(spent * 100, 'USD')} of {formatMoney(limit.limit * 100, 'USD')} spent since
      midnight UTC; {formatMoney(reserved * 100, 'USD')} reserved for texts still due. Room for{' '}
      {counted(
        texts_left,
        'verification code or consent request',
        'verification codes or consent requests',
      )}
      .{refused === 0 ? '' : ` ${formatCount(refused)} refused since midnight UTC.`}
    </>
  );
};

const Facts = ({ info }: { info: ProviderInfo }) => (
  <Stack gap="md">
    {info.pause ? <Paused pause={info.pause} /> : null}
    <dl className={classes.facts}>
      <Row name="Provider">
        {info.mode === 'live' ? 'Telnyx' : 'Sandbox (no real texts are sent)'}
      </Row>
      <Row name="State">
        <State isPaused={info.pause !== null} />
      </Row>
      <Row name="Rate limit">{formatCount(info.rate_per_second)} msgs/sec</Row>
      <Row name="Batch size">{formatCount(info.batch_size)} msgs/batch</Row>
      <Row name={info.sending_numbers.length > 1 ? 'Sending numbers' : 'Sending number'}>
        {info.sending_numbers.join(', ')}
      </Row>
      <Row name="Cost per message part">
        {formatTextPrice(info.cost_per_part, info.currency)}
        {info.cost_from === 'receipts'
          ? ' (latest receipt)'
          : ' (estimate until the first receipt)'}
      </Row>
      <Row name="Latest receipt">
        {info.latest_receipt_at ? <Time at={info.latest_receipt_at} /> : 'None yet'}
      </Row>
      <Row name="Daily spend limit">
        {info.spend_limit ? <SpendLimit limit={info.spend_limit} /> : 'None configured'}
      </Row>
      <Row name="Block list">
        {info.block_list ? <BlockList list={info.block_list} /> : 'Not compared yet'}
      </Row>
    </dl>
  </Stack>
);

export const ProviderCard = () => {
  const query = useQuery(providerQuery);
  return (
    <Section title="Provider">
      <QueryView query={query} lines={5}>
        {(data) => <Facts info={data} />}
      </QueryView>
    </Section>
  );
};
