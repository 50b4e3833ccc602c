import type { Me } from '@daylift/contracts/accounts.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import {
  dayPart,
  formatHour,
  formatLocalDate,
  formatPhone,
  formatWeekday,
  formatZone,
} from '@daylift/ui/formats';
import { currentZoneName } from '@daylift/ui/time-zones';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useFocusBack } from '../../components/use-focus-back.ts';
import { usePausedUntil, useResume } from '../../session/pause.ts';
import { ConsentNotice } from './ConsentNotice.tsx';
import { DeliverySwitch } from './DeliverySwitch.tsx';
import { PauseForm } from './PauseForm.tsx';

const frequencyOf = (user: Me): string => {
  if (user.delivery_frequency !== 'weekly') return 'Daily';
  return user.delivery_weekday === null
    ? 'Weekly'
    : `Weekly, on ${formatWeekday(user.delivery_weekday)}`;
};

const timeOf = (user: Me): string => {
  const time = user.delivery_time || '09:00';
  return `${formatHour(time)} · ${dayPart(Number(time.slice(0, 2)))}`;
};

/** Read-only settings, with the delivery switch and the pause. */
export const DeliverySettingsView = ({ user }: { user: Me }) => {
  const [pausing, setPausing] = useState(false);
  const pausedUntil = usePausedUntil(user);
  const { resume, busy } = useResume();
  const opener = useFocusBack(pausing);
  const resumed = useFocusBack(pausedUntil !== null);
  return (
    <>
      <ConsentNotice user={user} />
      <FactList>
        <Fact name="SMS delivery">
          <DeliverySwitch user={user} />
        </Fact>
        <Fact name="Name">{user.name}</Fact>
        <Fact name="Phone">{formatPhone(user.phone)}</Fact>
        <Fact name="Email">{user.email}</Fact>
        <Fact name="Timezone">{formatZone(currentZoneName(user.timezone))}</Fact>
        <Fact name="Daily message time">{timeOf(user)}</Fact>
        <Fact name="Frequency">{frequencyOf(user)}</Fact>
        <Fact name="Pause">
          <Group gap="md" justify="flex-end">
            <span>{pausedUntil ? `Until ${formatLocalDate(pausedUntil)}` : 'Not paused'}</span>
            {pausedUntil ? (
              <Button ref={opener} loading={busy} onClick={resume}>
                Resume
              </Button>
            ) : (
              <Button
                ref={(button) => {
                  opener.current = button;
                  resumed.current = button;
                }}
                variant="default"
                aria-expanded={pausing}
                onClick={() => setPausing(!pausing)}
              >
                Pause
              </Button>
            )}
          </Group>
        </Fact>
      </FactList>
      {pausing && !pausedUntil ? <PauseForm user={user} onClose={() => setPausing(false)} /> : null}
    </>
  );
};
