import { Center, Loader } from '@mantine/core';

export const LoadingPage = () => (
  <Center mih="60dvh">
    <Loader aria-label="Loading" />
  </Center>
);
