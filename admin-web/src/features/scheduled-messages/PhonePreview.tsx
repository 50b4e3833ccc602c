import { countSegments, maxParts } from '@daylift/delivery/segments';
import { Group, Stack, Text } from '@mantine/core';
import classes from './PhonePreview.module.css';

const sampleName = 'Alex';

/** How the text looks on a phone and how it travels: characters, encoding and parts, of which each is charged. */
export const PhonePreview = ({ content }: { content: string }) => {
  const text = content.trim().replaceAll(/\{\{\s*first_name\s*\}\}/g, sampleName);
  const { encoding, units, parts } = countSegments(text);
  return (
    <Stack gap="sm" align="center">
      <figure className={classes.phone} aria-label="Preview on a phone">
        <div className={classes.bubble} data-empty={text === ''}>
          {text === '' ? 'Your message' : text}
        </div>
      </figure>
      <Group gap="lg" aria-live="polite">
        <Text fz="sm">
          <strong>{units}</strong> characters
        </Text>
        <Text fz="sm">
          <strong>{encoding}</strong>
        </Text>
        <Text fz="sm" c={parts > 1 ? 'var(--dl-danger)' : undefined}>
          <strong>{parts}</strong> {parts === 1 ? 'part' : 'parts'}
        </Text>
      </Group>
      {parts > 1 ? (
        <Text fz="sm" c="dimmed" ta="center" maw="22rem">
          {parts > maxParts
            ? `The provider takes at most ${maxParts} parts. Please shorten the text.`
            : 'Each part is charged as a text of its own.'}
          {encoding === 'UCS-2'
            ? ' An emoji or a special character leaves room for only 70 characters a text.'
            : ''}
        </Text>
      ) : null}
    </Stack>
  );
};
