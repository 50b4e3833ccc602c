import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCatalogue } from '../../catalogue.ts';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { useFocusBack } from '../../components/use-focus-back.ts';
import classes from './ContactSupportCard.module.css';
import { ContactSupportForm } from './ContactSupportForm.tsx';

export const ContactSupportCard = () => {
  const [writing, setWriting] = useState(false);
  const opener = useFocusBack(writing);
  const address = useCatalogue()?.support_email;
  return (
    <DashboardCard title="Need Help?">
      <p className={classes.lead}>
        A real person reads every message, and you'll hear from us within 24 hours. Write below, or
        email
      </p>
      <p className={classes.address}>
        {address ? <a href={`mailto:${address}`}>{address}</a> : '\u00a0'}
      </p>
      {writing ? (
        <ContactSupportForm onClose={() => setWriting(false)} />
      ) : (
        <Button ref={opener} color="dawn" onClick={() => setWriting(true)}>
          Contact Support
        </Button>
      )}
    </DashboardCard>
  );
};
