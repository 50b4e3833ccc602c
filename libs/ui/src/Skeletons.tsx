import { Card, Skeleton, Stack } from '@mantine/core';

/** Lines of text that are on their way; as many as the real thing has, so that nothing jumps. */
export const TextSkeleton = ({ lines = 3 }: { lines?: number }) => (
  <Stack gap="sm" aria-hidden="true">
    {Array.from({ length: lines }, (_, at) => at + 1).map((line) => (
      <Skeleton key={line} height={14} radius="xl" width={line === lines ? '60%' : '100%'} />
    ))}
  </Stack>
);

/** A card on its way. */
export const CardSkeleton = ({ lines = 3 }: { lines?: number }) => (
  <Card aria-hidden="true">
    <Skeleton height={20} width="45%" radius="xl" mb="lg" />
    <TextSkeleton lines={lines} />
  </Card>
);
