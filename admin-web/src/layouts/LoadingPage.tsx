import { Center, Loader } from '@mantine/core';

export const LoadingPage = () => (
  <Center mih="60dvh">
    <Loader role="status" aria-label="Loading" />
  </Center>
);
