import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { PageBanner } from '../../components/PageBanner.tsx';
import { Time } from '../../components/Time.tsx';
import { paths } from '../../paths.ts';
import { testingModeQuery } from '../../shared.queries.ts';

export const TestingModeBanner = () => {
  const { data } = useQuery(testingModeQuery);
  if (!data?.testing_mode_enabled) return null;
  return (
    <PageBanner
      tone="yellow"
      title="Testing mode is on: subscribers get no texts."
      action={
        <Anchor component={Link} to={paths.testingMode} py="0.625rem">
          Turn it off
        </Anchor>
      }
    >
      <p>
        All texts have gone to {data.test_phone_number} since <Time at={data.enabled_at ?? ''} />.
        Turned on by {data.enabled_by}.
      </p>
    </PageBanner>
  );
};
