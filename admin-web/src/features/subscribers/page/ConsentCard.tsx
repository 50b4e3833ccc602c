import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { Text } from '@mantine/core';
import { Section } from '../../../components/Section.tsx';
import { Moment } from './Moment.tsx';

const states = {
  granted: 'Agreed to texts',
  pending: 'Asked to reply YES, no answer yet',
  revoked: 'Taken back',
};
const sources: Record<string, string> = {
  signup: 'At the signup, by the consent box',
  reply: 'By replying YES',
};
const stopSources: Record<string, string> = {
  keyword: 'by a STOP word',
  phrase: 'by a sentence that asks for it',
  provider: 'known from the provider',
};

const OptOut = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const { last_opt_out: last, opted_out, timezone, missing } = subscriber;
  if (last === null) return <>{missing.includes('texts') ? 'Not known just now' : 'Never'}</>;
  return (
    <>
      {opted_out ? `Stopped, ${stopSources[last.source] ?? last.source}` : 'Lifted by START'},{' '}
      <Moment at={last.changed_at} timezone={timezone} withDay />
    </>
  );
};

type Proof = AdminSubscriber['consents'][number];
const ProofFacts = ({ proof, timezone }: { proof: Proof; timezone: string }) => (
  <FactList>
    <Fact name="How">{sources[proof.source] ?? proof.source}</Fact>
    <Fact name="When">
      <Moment at={proof.given_at} timezone={timezone} withDay />
    </Fact>
    <Fact name="Wording">{proof.wording_version}</Fact>
    <Fact name="Number">{proof.for_present_number ? 'The present one' : 'An earlier one'}</Fact>
    {proof.ip === null ? null : <Fact name="IP address">{proof.ip}</Fact>}
    {proof.user_agent === null ? null : <Fact name="Browser">{proof.user_agent}</Fact>}
  </FactList>
);

/** By what right they get texts: each proof of it, and what their number said. */
export const ConsentCard = ({ subscriber }: { subscriber: AdminSubscriber }) => (
  <Section title="Consent record">
    <FactList>
      <Fact name="Consent">{states[subscriber.consent]}</Fact>
      <Fact name="STOP">
        <OptOut subscriber={subscriber} />
      </Fact>
    </FactList>
    {subscriber.consents.map((proof, place) => (
      <div key={`${proof.given_at}${proof.source}`}>
        <Text component="h3" fw={800} fz="md" mt="md">
          {place === 0 ? 'Latest proof' : 'Earlier proof'}
        </Text>
        <ProofFacts proof={proof} timezone={subscriber.timezone} />
      </div>
    ))}
    {subscriber.consents.length === 0 ? (
      <Text c="dimmed" mt="md">
        No proof of consent is kept.
      </Text>
    ) : null}
  </Section>
);
