import { withSampleName } from '@daylift/delivery/first-name';
import { countSegments, inPlainCharacters, maxParts } from '@daylift/delivery/segments';
import { capitalized, formatEstimate } from '@daylift/ui/formats';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api.ts';
import { counted, people } from './counted.ts';
import classes from './PhonePreview.module.css';

const audienceQuery = { ...apiQuery(['audience'], 'GET /admin/audience'), staleTime: 60_000 };

/** Estimated cost of sending a text with this many parts to today's audience. */
const Cost = ({ parts }: { parts: number }) => {
  const { data, isError } = useQuery(audienceQuery);
  if (isError && !data) {
    return (
      <Text fz="sm" c="dimmed">
        Cost unavailable right now.
      </Text>
    );
  }
  if (!data || parts === 0) return null;
  const cost = Number(data.price_per_part) * parts * data.recipients;
  return (
    <Text fz="sm" ta="center">
      <strong>{capitalized(formatEstimate(cost, data.currency))}</strong> for today's audience of{' '}
      {data.is_estimate ? 'about ' : ''}
      {people(data.recipients)}
    </Text>
  );
};

interface PhonePreviewProps {
  content: string;
  onChange: (content: string) => void;
}

/** Offers plain characters where they save parts. */
const PlainOffer = ({ content, onChange }: PhonePreviewProps) => {
  const { parts } = countSegments(withSampleName(content.trim()));
  const plain = inPlainCharacters(content);
  if (plain === null) return null;
  const plainParts = countSegments(withSampleName(plain.trim())).parts;
  if (plainParts >= parts) return null;
  return (
    <Button variant="default" size="xs" onClick={() => onChange(plain)}>
      Use Plain Characters: {counted(plainParts, 'Part', 'Parts')} Instead of {parts}
    </Button>
  );
};

/** Shows the text as it looks on a phone, with its characters, encoding and billed parts. */
export const PhonePreview = ({ content, onChange }: PhonePreviewProps) => {
  const text = withSampleName(content.trim());
  const { encoding, units, parts } = countSegments(text);
  return (
    <Stack gap="sm" align="center">
      <figure className={classes.phone} aria-label="Preview on a phone">
        <div className={classes.bubble} data-empty={text === ''}>
          {text === '' ? 'Your message' : text}
        </div>
      </figure>
      <Group gap="lg" justify="center" aria-live="polite">
        <Text fz="sm">
          <strong>{units}</strong> characters
        </Text>
        <Text fz="sm">
          <strong>{encoding}</strong>{' '}
          {encoding === 'GSM-7' ? '(plain characters)' : '(special characters)'}
        </Text>
        <Text fz="sm" c={parts > 1 ? 'var(--dl-danger)' : undefined}>
          <strong>{parts}</strong> {parts === 1 ? 'part' : 'parts'}
        </Text>
      </Group>
      <PlainOffer content={content} onChange={onChange} />
      <Cost parts={parts} />
      {parts > 1 ? (
        <Text fz="sm" c="dimmed" ta="center" maw="22rem">
          {parts > maxParts
            ? `The provider accepts at most ${maxParts} parts. Shorten the text.`
            : 'Each part is billed as one text.'}
          {encoding === 'UCS-2'
            ? ' With an emoji or special character, one part holds only 70 characters.'
            : ' One part holds 160 characters.'}
        </Text>
      ) : null}
    </Stack>
  );
};
