import { formatCount } from '@daylift/ui/formats';
import { TextInput } from '@mantine/core';

/** Above this reach, the operator has to type the number of people. */
const typedAbove = 1_000;

/** Returns whether the reach is small, or its number was typed; separators are ignored. */
export const isReachConfirmed = (people: number, typed: string): boolean =>
  people <= typedAbove || typed.replace(/[\s,.’']/g, '') === String(people);

/** For a large reach, a field to type the number of people in. */
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
      label={`This reaches ${about ? 'about ' : ''}${formatCount(people)} people. Type that number to continue.`}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
    />
  );
