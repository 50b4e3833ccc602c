import type { Me } from '@daylift/contracts/accounts.http';
import { formatHour, formatZoneCity } from '@daylift/ui/formats';
import { Button, Group } from '@mantine/core';
import { IconPlaneDeparture } from '@tabler/icons-react';
import { useState } from 'react';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { guessZone } from '../../components/time-zones.ts';
import { useUpdateMe } from '../../session/update-me.ts';
import { dismissedZones, dismissZone } from './dismissed-zones.ts';
import { clocksDiffer } from './same-clocks.ts';
import classes from './TravelHint.module.css';

/** Returns the browser's time zone if it differs from the account's and wasn't dismissed. */
const useZoneElsewhere = (account: string) => {
  const [browserZone] = useState(guessZone);
  const [dismissed, setDismissed] = useState(dismissedZones);
  const differs =
    browserZone !== '' &&
    !dismissed.includes(browserZone) &&
    clocksDiffer(browserZone, account, new Date());
  const dismiss = () => {
    dismissZone(browserZone);
    setDismissed([...dismissed, browserZone]);
  };
  return { zone: differs ? browserZone : null, dismiss };
};

/** Offers to change the time zone of a traveling subscriber. */
export const TravelHint = ({ user }: { user: Me }) => {
  const { zone, dismiss } = useZoneElsewhere(user.timezone);
  const move = useUpdateMe(({ timezone }) =>
    announce(`Your texts now come in ${formatZoneCity(timezone)} time.`, 'good'),
  );
  if (zone === null) return null;
  return (
    <section className={classes.hint} aria-label="Time zone">
      <IconPlaneDeparture size={28} aria-hidden="true" className={classes.picture} />
      <div className={classes.words}>
        <p>
          You seem to be in <strong>{formatZoneCity(zone)}</strong> time. Your texts come at{' '}
          {formatHour(user.delivery_time)} {formatZoneCity(user.timezone)} time.
        </p>
        <ActionFailure action="update profile" error={move.error} />
        <Group gap="sm">
          <Button
            variant="default"
            loading={move.isPending}
            onClick={() => move.mutate({ timezone: zone })}
          >
            Change to {formatZoneCity(zone)}
          </Button>
          <Button variant="default" disabled={move.isPending} onClick={dismiss}>
            Keep {formatZoneCity(user.timezone)}
          </Button>
        </Group>
      </div>
    </section>
  );
};
