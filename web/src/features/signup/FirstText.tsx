import type { NextText } from '@daylift/contracts/scheduler.http';
import { formatDayAndFullHour, formatFullHour, formatZoneCity } from '@daylift/ui/formats';
import { saveFile } from '@daylift/ui/save-file';
import { Button } from '@mantine/core';
import { IconAddressBook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCatalogue } from '../../catalogue.ts';
import { useToken } from '../../session/keep-session.ts';
import { useSender } from '../../session/sender.ts';
import { useToday } from '../../session/today.ts';
import { contactCard } from './contact-card.ts';
import classes from './SuccessPage.module.css';
import { firstTextQuery } from './signup.queries.ts';

const dayMs = 86_400_000;

const When = ({ at, day, zone }: { at: string; day: string; zone: string }) => {
  const isTomorrow = Date.parse(day) - Date.parse(useToday(zone)) === dayMs;
  return (
    <>
      {isTomorrow ? <p className={classes.when}>Tomorrow, {formatFullHour(at, zone)}</p> : null}
      <p className={classes.day}>
        {formatDayAndFullHour(at, zone)}, {formatZoneCity(zone)} time
      </p>
    </>
  );
};

const SaveNumber = ({ number }: { number: string }) => {
  const name = useCatalogue()?.product_name ?? 'Daily text';
  const save = () =>
    saveFile(new Blob([contactCard(name, number)], { type: 'text/vcard' }), `${name}.vcf`);
  return (
    <Button
      variant="default"
      leftSection={<IconAddressBook size={20} aria-hidden="true" />}
      onClick={save}
    >
      Save Our Number
    </Button>
  );
};

const isPlanned = (
  next: NextText | undefined,
): next is NextText & { next_text_at: string; local_date: string; timezone: string } =>
  next !== undefined &&
  next.next_text_at !== null &&
  next.local_date !== null &&
  next.timezone !== null;

/** Returns the first text while signed in. */
export const useFirstText = () =>
  useQuery({ ...firstTextQuery, enabled: useToken() !== null }).data;

/** The date and hour of the first text, and the number it comes from. Renders nothing until it is planned. */
export const FirstText = ({ next }: { next: NextText | undefined }) => {
  const number = useSender();
  if (!isPlanned(next)) return null;
  return (
    <div className={classes.first}>
      <When at={next.next_text_at} day={next.local_date} zone={next.timezone} />
      {number === null ? null : <SaveNumber number={number} />}
    </div>
  );
};
