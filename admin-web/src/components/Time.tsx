import { useTimeFormat } from './use-time-format.ts';

/**
 * An instant in the operators' time zone, or in `zone` for a fact about a subscriber. The exact instant shows on hover.
 */
export const Time = ({
  at,
  zone,
  format: choice = 'short',
}: {
  at: string;
  zone?: string | undefined;
  /** `timeOnly` is for rows below a heading with the day. */
  format?: 'short' | 'timeOnly' | 'dayOnly';
}) => {
  const format = useTimeFormat(zone);
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format[choice](at)}
    </time>
  );
};
