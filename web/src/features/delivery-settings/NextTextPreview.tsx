import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { previewQuery, useToday } from './delivery-settings.queries.ts';
import classes from './NextTextPreview.module.css';
import { previewWords } from './preview-words.ts';

const pauseBeforeAskingMs = 400;
const nothing = '{}';

/** Says what a change would do before it is saved. It informs and never stands in the way of saving. */
export const NextTextPreview = ({
  change,
  timeZone,
}: {
  change: NextTextPreviewRequest;
  timeZone: string;
}) => {
  const wish = JSON.stringify(change);
  const [settled] = useDebouncedValue(wish, pauseBeforeAskingMs);
  const today = useToday(timeZone);
  const before = useQuery(previewQuery({}));
  const after = useQuery({
    ...previewQuery(JSON.parse(settled) as NextTextPreviewRequest),
    enabled: settled !== nothing,
  });
  const words = () => {
    if (wish === nothing) return '';
    if (after.isError)
      return 'What this does to your next text cannot be told just now. You can save all the same.';
    if (wish !== settled || !after.data || before.isPending)
      return 'Looking up what this does to your next text...';
    return previewWords(before.data, after.data, today);
  };
  return (
    <p className={classes.preview} role="status">
      {words()}
    </p>
  );
};
