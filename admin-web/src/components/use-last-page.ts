import { useEffect } from 'react';

/** Goes to the last page when the page shown has lost all its rows. */
export const useLastPage = (
  data: { rows: unknown[]; total: number } | undefined,
  {
    offset,
    limit,
    onChange,
  }: { offset: number; limit: number; onChange: (offset: number) => void },
): void => {
  const last = Math.max(0, Math.ceil((data?.total ?? 0) / limit) - 1) * limit;
  const isGone = data?.rows.length === 0 && offset > last;
  useEffect(() => {
    if (isGone) onChange(last);
  });
};
