import { ContactSupportCard } from '../../features/support/ContactSupportCard.tsx';
import { FaqCard } from '../../features/support/FaqCard.tsx';
import classes from './CardColumn.module.css';

export const SupportTab = () => (
  <div className={classes.cards}>
    <ContactSupportCard />
    <FaqCard />
  </div>
);
