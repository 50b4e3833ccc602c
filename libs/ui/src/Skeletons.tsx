import { Card, Skeleton, Stack } from '@mantine/core';

/** Text placeholder. Use as many lines as the content has, to avoid layout shift. */
export const TextSkeleton = ({ lines = 3 }: { lines?: number }) => (
  <Stack gap="sm" aria-hidden="true">
    {Array.from({ length: lines }, (_, at) => at + 1).map((line) => (
      <Skeleton key={line} height={14} radius="xl" width={line === lines ? '60%' : '100%'} />
    ))}
  </Stack>
);

export const CardSkeleton = ({ lines = 3 }: { lines?: number }) => (
  <Card aria-hidden="true">
    <Skeleton height={20} width="45%" radius="xl" mb="lg" />
    <TextSkeleton lines={lines} />
  </Card>
);
