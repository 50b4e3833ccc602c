import { formatCount } from '@daylift/ui/formats';
import { TextInput } from '@mantine/core';

/** What reaches more people than this asks to type their number first. */
const typedAbove = 1_000;

/** Whether the number of people has been typed, where that is asked for; separators do not matter. */
export const isReachConfirmed = (people: number, typed: string): boolean =>
  people <= typedAbove || typed.replace(/[\s,.’']/g, '') === String(people);

/** Asks to type how many people something reaches, if they are many. The dialog keeps what was typed. */
export const ReachConfirm = ({
  people,
  about = false,
  typed,
  onType,
}: {
  people: number;
  /** The number is an estimate. */
  about?: boolean;
  typed: string;
  onType: (typed: string) => void;
}) =>
  people <= typedAbove ? null : (
    <TextInput
      label={`This reaches ${about ? 'about ' : ''}${formatCount(people)} people. Type that number to go on.`}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
    />
  );
