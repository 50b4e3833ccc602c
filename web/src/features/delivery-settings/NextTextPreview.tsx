import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useToday } from '../../session/today.ts';
import { previewQuery } from './delivery-settings.queries.ts';
import classes from './NextTextPreview.module.css';
import { previewWords } from './preview-words.ts';

const pauseBeforeAskingMs = 400;
const nothing = '{}';

/** Previews the effect of a change. A failed preview doesn't block saving. */
export const NextTextPreview = ({
  change,
  timeZone,
}: {
  change: NextTextPreviewRequest;
  timeZone: string;
}) => {
  const wanted = JSON.stringify(change);
  const [settled] = useDebouncedValue(wanted, pauseBeforeAskingMs);
  const today = useToday(timeZone);
  const before = useQuery(previewQuery({}));
  const after = useQuery({
    ...previewQuery(JSON.parse(settled) as NextTextPreviewRequest),
    enabled: settled !== nothing,
  });
  const words = () => {
    if (wanted === nothing) return '';
    if (after.isError) return "We can't preview your next text right now, but you can still save.";
    if (wanted !== settled || !after.data || before.isPending) return 'Checking your next text...';
    return previewWords(before.data, after.data, today);
  };
  return (
    <p className={classes.preview} role="status">
      {words()}
    </p>
  );
};
