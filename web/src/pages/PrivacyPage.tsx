import { useCatalogue } from '../catalogue.ts';
import { TextPage } from '../components/TextPage.tsx';

export const PrivacyPage = () => {
  const catalogue = useCatalogue();
  const name = catalogue?.product_name ?? 'The service';
  return (
    <TextPage title="Privacy Policy" lead="We know little about you, and keep it to ourselves.">
      <h2>What we keep</h2>
      <ul>
        <li>Your name, email address and phone number, and your password as a one-way hash.</li>
        <li>Your time zone, delivery hour and frequency, and whether delivery is on.</li>
        <li>
          Your consent to texts: the wording that you saw, when, and from which internet address and
          browser. The law asks us to be able to show it.
        </li>
        <li>The texts that we sent, when, and whether they arrived; and your replies.</li>
        <li>
          The state of your subscription. Your card never touches our servers: our payment provider
          keeps it.
        </li>
      </ul>
      <h2>What it is for</h2>
      <p>
        To send you the texts that you asked for, to charge what you agreed to, to answer you, and
        to keep the service safe. {name} shows no advertising and makes no profile of you.
      </p>
      <h2>Who else sees it</h2>
      <p>
        Only those who carry out the service for us: the provider that delivers the texts, the
        payment provider, the mail service and our hosting. Your mobile number and your consent are
        never sold, and never shared with anyone for their own marketing.
      </p>
      <h2>In your browser</h2>
      <p>
        No tracking cookies. Your browser's own storage holds your sign-in, whether you like light
        or dark, the community counter of the first page, the code of a friend who invited you until
        you have signed up, and the time zones that you said to leave alone. What you type into the
        signup, without your password, is kept there until it is sent or the window is closed.
      </p>
      <h2>How long</h2>
      <p>
        As long as you have an account. When you delete it, your personal data is erased everywhere;
        what remains is a keyed hash of your number on the list of those who must not be texted, and
        the bookkeeping that the law asks for.
      </p>
      <h2>Your rights</h2>
      <p>
        On your dashboard you can see and correct your data, download all of it, and delete your
        account. You can also complain to the data protection authority where you live.
      </p>
      <h2>Questions</h2>
      <p>
        {catalogue ? (
          <>
            Write to <a href={`mailto:${catalogue.support_email}`}>{catalogue.support_email}</a>.
          </>
        ) : (
          '\u00a0'
        )}
      </p>
    </TextPage>
  );
};
