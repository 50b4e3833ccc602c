import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import type { Currency } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { useQuery } from '@tanstack/react-query';
import { catalogueQuery, plusTax, useCatalogue } from '../catalogue.ts';
import { AppLink } from '../components/AppLink.tsx';
import { CompanyFacts } from '../components/CompanyFacts.tsx';
import { TextPage } from '../components/TextPage.tsx';
import { paths } from '../paths.ts';

const LocalPrices = ({ currency }: { currency: Currency }) => {
  const catalogue = useCatalogue(currency);
  if (!catalogue) return null;
  const plans = catalogue.plans.map(
    (plan) => `${plan.name}: ${formatMoney(plan.price_cents, currency)} per ${plan.interval}`,
  );
  return (
    <li>
      {plans.join(', ')}
      {plusTax(catalogue)}. Referral credit:{' '}
      {formatMoney(catalogue.referral_credit_cents, currency)}.
    </li>
  );
};

const currenciesOf = ({ countries }: PublicCatalogue): Currency[] => [
  ...new Set(countries.flatMap(({ currency }) => (currency ? [currency] : []))),
];

const Prices = ({ catalogue }: { catalogue: PublicCatalogue }) => (
  <>
    <p>
      A new subscription begins with a free trial of {catalogue.trial_days} days. There is one trial
      for each person, email address, phone number and card. After the trial, we charge your card
      for the plan you chose:
    </p>
    <ul>
      {catalogue.plans.map((plan) => (
        <li key={plan.id}>
          {plan.name}: {formatMoney(plan.price_cents, catalogue.currency)} per {plan.interval}
          {plusTax(catalogue)}
        </li>
      ))}
    </ul>
    {currenciesOf(catalogue).length > 0 ? (
      <>
        <p>
          In some countries, prices are in the local currency. The country of your phone number
          determines your currency. You'll see it before you enter a card, and it won't change
          later.
        </p>
        <ul>
          {currenciesOf(catalogue).map((currency) => (
            <LocalPrices key={currency} currency={currency} />
          ))}
        </ul>
      </>
    ) : null}
    <p>
      Your plan renews at the end of each billing period at the same price until you cancel. If we
      ever change your price, we'll email you at least 30 days before it applies, and you can opt
      out. About a day before the first charge, we send an email with the date, the amount and a
      link to cancel.
    </p>
    <p>
      If a promotion code lasts for a number of months, those months start on the day you start your
      plan. They include your trial and any other free time.
    </p>
  </>
);

const Referrals = ({ catalogue }: { catalogue: PublicCatalogue }) => (
  <p>
    When a friend signs up with your link and makes their first payment, you get{' '}
    {formatMoney(catalogue.referral_credit_cents, catalogue.currency)} off your next bill. You get
    it once per friend, and never for yourself. We take it back if that payment is refunded within
    30 days.
  </p>
);

const LostDays = ({ most }: { most: number }) => (
  <p>
    If a text you've paid for doesn't reach you because of a problem on our side or a carrier's, we
    credit that day's share of the price toward your next invoice, usually within five days
    {most < 31 ? ` and for up to ${most === 1 ? '1 day' : `${most} days`} a month` : ''}. Days when
    you paused or stopped your texts, and days when your number can't receive them, don't count.
    Credit isn't paid out in cash. If you cancel, we keep it for a later subscription. If you delete
    your account, you lose it.
  </p>
);

export const TermsPage = () => {
  const { data: catalogue } = useQuery(catalogueQuery);
  const name = catalogue?.product_name ?? 'The service';
  return (
    <TextPage title="Terms of Service" lead="What you get, what it costs, and how to leave.">
      <CompanyFacts />
      <h2>The service</h2>
      <p>
        {name} sends a short motivational text message to your phone, daily or weekly, at the hour
        and in the time zone you choose. The first text arrives the day after you sign up. If we
        can't send a text close to its hour, we skip it rather than send it at night. The texts are
        meant to encourage; they aren't medical, psychological, legal or financial advice.
      </p>
      <h2>Trial, prices and renewal</h2>
      {catalogue ? (
        <Prices catalogue={catalogue} />
      ) : (
        <p>We couldn't load the prices. Please reload this page.</p>
      )}
      <h2>Gifts</h2>
      <p>
        A <AppLink href={paths.gift}>gift</AppLink> is one payment for a number of months. It
        doesn't renew. Its link doesn't expire and can be redeemed once, by anyone who has it. If
        the payment is refunded or disputed, the link can't be redeemed. If it's disputed after you
        redeem the gift, your remaining free texts stop until the dispute is resolved. If the gift
        postponed your next charge and its payment is then returned to the buyer for good, we may
        move the charge to an earlier date. We'll email you at least 7 days before that date.
      </p>
      <h2>Canceling</h2>
      <p>
        You can cancel anytime and keep the service until the end of the paid period. If you cancel
        during the trial, you won't be charged. Replying STOP stops the texts right away and also
        cancels the renewal; replying START before the end of the period restores both.
      </p>
      <h2>Refunds</h2>
      <p>{catalogue?.refund_policy ?? '\u00a0'}</p>
      {catalogue?.lost_days_per_month ? <LostDays most={catalogue.lost_days_per_month} /> : null}
      <h2>Text messages</h2>
      <p>
        We text you only with your consent, which you give at signup or by replying YES. Consent is
        not a condition of any purchase. You get one text a day or one a week, as you choose, plus
        an occasional message about your account. Msg &amp; data rates may apply. Reply STOP to
        stop, HELP for help. Carriers are not liable for delayed or undelivered messages.
      </p>
      <h2>If you're in crisis</h2>
      <p>
        We're not a crisis or emergency service, and we don't monitor replies around the clock. If a
        reply suggests that you may be in danger, we automatically text you the number of a crisis
        line in your country and flag the reply for our team. This automated check can miss or
        misread messages, so please don't rely on it. In an emergency, call your local emergency
        number; in the US and Canada, you can call or text 988 anytime.
      </p>
      <h2>Your account</h2>
      <p>
        Use your own phone number and keep your password to yourself. You can change your number,
        hour, time zone and frequency anytime. We may close an account that is used to harm others
        or the service.
      </p>
      <h2>Referrals</h2>
      {catalogue ? <Referrals catalogue={catalogue} /> : null}
      <h2>Liability</h2>
      <p>
        We run the service with care, but we don't control phones, carriers or networks, so we can't
        promise that every text arrives. As far as the law allows, our liability for any claim is
        limited to what you paid in the twelve months before it.
      </p>
      <h2>Changes</h2>
      <p>
        If we change these terms or the prices to your disadvantage, we'll email you at least 30
        days ahead, so you can cancel before the change takes effect.
      </p>
      <h2>Questions</h2>
      <p>
        <AppLink href={paths.contact}>Contact us</AppLink>. See the{' '}
        <AppLink href={paths.privacy}>Privacy Policy</AppLink> for how we handle your data.
      </p>
    </TextPage>
  );
};
