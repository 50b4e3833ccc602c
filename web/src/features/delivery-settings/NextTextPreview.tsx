import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useToday } from '../../session/today.ts';
import { previewQuery } from './delivery-settings.queries.ts';
import classes from './NextTextPreview.module.css';
import { previewWords } from './preview-words.ts';

const debounceMs = 400;
const noChange = '{}';

/** Previews the effect of a change. A failed preview doesn't block saving. */
export const NextTextPreview = ({
  change,
  timeZone,
}: {
  change: NextTextPreviewRequest;
  timeZone: string;
}) => {
  const wanted = JSON.stringify(change);
  const [settled] = useDebouncedValue(wanted, debounceMs);
  const today = useToday(timeZone);
  const before = useQuery(previewQuery({}));
  const after = useQuery({
    ...previewQuery(JSON.parse(settled) as NextTextPreviewRequest),
    enabled: settled !== noChange,
  });
  const words = () => {
    if (wanted === noChange) return '';
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
