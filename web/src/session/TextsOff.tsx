import type { Me } from '@daylift/contracts/accounts.http';
import { formatPhone } from '@daylift/ui/formats';
import { Banner } from '../components/Banner.tsx';
import { FormMessage } from '../components/FormMessage.tsx';
import { LinkButton } from '../components/LinkButton.tsx';
import { useSender } from './sender.ts';

/** iOS needs the `&`, which Android ignores. */
const startBySms = (number: string): string => `sms:${number}?&body=START`;

/** A number on one line. */
const Phone = ({ number }: { number: string }) => (
  <span style={{ whiteSpace: 'nowrap' }}>{formatPhone(number)}</span>
);

const OffBanner = ({ phone }: { phone: string }) => {
  const number = useSender();
  return (
    <Banner
      label="Texts are off"
      action={
        number === null ? null : (
          <LinkButton look="call" size="small" href={startBySms(number)}>
            Text START
          </LinkButton>
        )
      }
    >
      Your texts are off. To turn them back on, text START to{' '}
      {number === null ? 'our number' : <Phone number={number} />}
      {phone === '' ? null : (
        <>
          {' '}
          from <Phone number={phone} />
        </>
      )}
      .
    </Banner>
  );
};

/** Shown on every page while the number is opted out. */
export const TextsOffBanner = ({ user }: { user: Me }) =>
  user.opted_out ? <OffBanner phone={user.phone} /> : null;

const StayOff = () => {
  const number = useSender();
  return (
    <FormMessage kind="info">
      Your texts will stay off until you text START to{' '}
      {number === null ? (
        'our number'
      ) : (
        <a href={startBySms(number)}>
          <Phone number={number} />
        </a>
      )}
      .
    </FormMessage>
  );
};

/** Shown with every plan change while the number is opted out, because paying doesn't turn texts back on. */
export const TextsStayOff = ({ user }: { user: Me }) => (user.opted_out ? <StayOff /> : null);
