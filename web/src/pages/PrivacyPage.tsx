import { useCatalogue } from '../catalogue.ts';
import { CompanyFacts } from '../components/CompanyFacts.tsx';
import { TextPage } from '../components/TextPage.tsx';

export const PrivacyPage = () => {
  const catalogue = useCatalogue();
  const name = catalogue?.product_name ?? 'The service';
  return (
    <TextPage title="Privacy Policy" lead="We collect little about you, and keep it to ourselves.">
      <CompanyFacts />
      <h2>What we keep</h2>
      <ul>
        <li>Your name, email address and phone number, and your password as a one-way hash.</li>
        <li>Your time zone, delivery hour and frequency, and whether delivery is on.</li>
        <li>
          Your consent to texts: the wording you saw, when, and from which IP address and browser.
          The law requires us to keep this record.
        </li>
        <li>The texts we sent, when, whether they arrived, and your replies.</li>
        <li>
          The status of your subscription. Your card never touches our servers; our payment provider
          stores it.
        </li>
        <li>
          If you buy a gift: your name, email address and message. The person who redeems it sees
          your name and message.
        </li>
      </ul>
      <h2>How we use it</h2>
      <p>
        To send you the texts you asked for, to charge what you agreed to, to reply to you, and to
        keep the service safe. {name} shows no ads and doesn't build a profile of you.
      </p>
      <h2>Who else sees it</h2>
      <p>
        Only the companies that help us run the service: our text message provider, payment
        provider, email service and hosting provider. We never sell your mobile number or consent,
        or share them with anyone for their own marketing.
      </p>
      <h2>In your browser</h2>
      <p>
        We use no tracking cookies. Your browser's storage holds your sign-in, your light or dark
        mode choice, the home page's community counter, a referral or gift code until you sign up,
        and the time zone suggestions you dismissed. What you type into the signup form, except your
        password, stays there until you submit it or close the window.
      </p>
      <h2>How long we keep it</h2>
      <p>
        As long as you have an account. When you delete it, we erase your personal data everywhere.
        We keep only a keyed hash of your number, so we never text you again by mistake, and the
        payment records the law requires.
      </p>
      <h2>Your rights</h2>
      <p>
        On your dashboard, you can view and correct your data, download all of it, and delete your
        account. If you bought a gift without an account, email us and we'll erase your details. You
        can also complain to the data protection authority where you live.
      </p>
      <h2>Questions</h2>
      <p>
        {catalogue ? (
          <>
            Email <a href={`mailto:${catalogue.support_email}`}>{catalogue.support_email}</a>.
          </>
        ) : (
          '\u00a0'
        )}
      </p>
    </TextPage>
  );
};
