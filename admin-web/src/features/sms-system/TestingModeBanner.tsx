import { formatDayAndHour } from '@daylift/ui/formats';
import { Anchor, Container } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { testingModeQuery } from './sms-system.queries.ts';
import classes from './TestingModeBanner.module.css';

export const TestingModeBanner = () => {
  const { data } = useQuery(testingModeQuery);
  if (!data?.testing_mode_enabled) return null;
  return (
    <section className={classes.banner} aria-label="Testing mode is on">
      <Container size="xl" className={classes.row}>
        <p role="status">
          <strong>Testing mode is on: subscribers get no texts.</strong> All texts go to{' '}
          {data.test_phone_number} since {formatDayAndHour(data.enabled_at ?? '')}, turned on by{' '}
          {data.enabled_by}.
        </p>
        <Anchor component={Link} to={`${paths.tab('sms')}#testing-mode`}>
          Turn it off
        </Anchor>
      </Container>
    </section>
  );
};
