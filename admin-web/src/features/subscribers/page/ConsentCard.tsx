import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { Text } from '@mantine/core';
import { Section } from '../../../components/Section.tsx';
import { Time } from '../../../components/Time.tsx';

const states = {
  granted: 'Given',
  pending: 'Requested, no reply yet',
  revoked: 'Revoked',
};
const sources: Record<string, string> = {
  signup: 'Checkbox at signup',
  admin: 'Added by staff',
  reply: 'Replied YES',
};
const stopSources: Record<string, string> = {
  keyword: 'STOP keyword',
  phrase: 'opt-out phrase',
  provider: 'reported by the provider',
  staff: 'by an admin',
  block_list: "provider's block list",
};

/** `signup-1` becomes `v1`; the source is shown beside it. */
const wordingLabel = (version: string): string => `v${version.slice(version.lastIndexOf('-') + 1)}`;

const OptOut = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const { last_opt_out: last, opted_out, timezone, missing } = subscriber;
  if (last === null) return <>{missing.includes('texts') ? 'Unavailable' : 'Never'}</>;
  return (
    <>
      {opted_out
        ? `Opted out (${stopSources[last.source] ?? last.source})`
        : 'Opted back in with START'}
      , <Time at={last.changed_at} zone={timezone} />
      {last.admin === undefined ? null : (
        <Text fz="sm">
          {last.admin}
          {last.note === undefined ? '' : `: ${last.note}`}
        </Text>
      )}
    </>
  );
};

type Proof = AdminSubscriber['consents'][number];
const ProofFacts = ({ proof, timezone }: { proof: Proof; timezone: string }) => (
  <FactList>
    <Fact name="Source">{sources[proof.source] ?? proof.source}</Fact>
    <Fact name="When">
      <Time at={proof.given_at} zone={timezone} />
    </Fact>
    <Fact name="Consent wording">{wordingLabel(proof.wording_version)}</Fact>
    <Fact name="Number">{proof.for_present_number ? 'Current number' : 'Earlier number'}</Fact>
    {proof.ip === null ? null : <Fact name="IP address">{proof.ip}</Fact>}
    {proof.user_agent === null ? null : <Fact name="Browser">{proof.user_agent}</Fact>}
  </FactList>
);

/** The subscriber's consent proofs and last opt-out. */
export const ConsentCard = ({ subscriber }: { subscriber: AdminSubscriber }) => (
  <Section title="Consent record">
    <FactList>
      <Fact name="Consent">{states[subscriber.consent]}</Fact>
      <Fact name="Last opt-out">
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
        No consent record.
      </Text>
    ) : null}
  </Section>
);
