import { useCatalogue } from '../catalogue.ts';
import { TextPage } from '../components/TextPage.tsx';
import { ContactForm } from '../features/contact/ContactForm.tsx';

export const ContactPage = () => {
  const address = useCatalogue()?.support_email;
  return (
    <TextPage
      title="Contact"
      lead="A real person reads every message, and you'll hear from us within 24 hours."
    >
      <ContactForm />
      <h2>By email</h2>
      <p>
        {address ? <a href={`mailto:${address}`}>{address}</a> : '\u00a0'}
        <br />
        Include the phone number or email of your account, but never your password.
      </p>
      <h2>From your phone</h2>
      <p>
        Reply <strong>HELP</strong> to any of our texts for help, or <strong>STOP</strong> to stop
        them right away. <strong>START</strong> brings them back.
      </p>
    </TextPage>
  );
};
