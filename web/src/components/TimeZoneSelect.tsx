import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { listZones } from './time-zones.ts';

/** A native select: fast on phones, and searchable by typing. */
export const TimeZoneSelect = ({
  value = '',
  ...props
}: NativeSelectProps & { value?: string }) => {
  const data = useMemo(
    () => [{ value: '', label: 'Select your timezone' }, ...listZones(value)],
    [value],
  );
  return <NativeSelect {...props} value={value} data={data} />;
};
