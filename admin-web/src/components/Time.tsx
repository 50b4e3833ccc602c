import { useTimeFormat } from './use-time-format.ts';

/**
 * An instant in the operators' time zone, or in `zone` for a fact about a subscriber. The exact instant shows on hover.
 */
export const Time = ({
  at,
  zone,
  timeOnly = false,
}: {
  at: string;
  zone?: string | undefined;
  /** Below a heading with the day. */
  timeOnly?: boolean;
}) => {
  const format = useTimeFormat(zone);
  return (
    <time dateTime={at} title={format.exact(at)}>
      {timeOnly ? format.timeOnly(at) : format.short(at)}
    </time>
  );
};
