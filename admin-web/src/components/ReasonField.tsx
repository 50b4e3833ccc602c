import { Textarea } from '@mantine/core';

export const ReasonField = ({
  description,
  value,
  onChange,
}: {
  description: string;
  value: string;
  onChange: (reason: string) => void;
}) => (
  <Textarea
    label="Reason"
    description={`${description} At least 3 characters.`}
    autosize
    minRows={2}
    maxLength={500}
    withAsterisk
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
