import { AppLink, type AppLinkProps } from './AppLink.tsx';
import classes from './LinkButton.module.css';

/** A link that looks like a button. Small enough for the landing page, which does without the component library. */
export const LinkButton = ({
  look = 'quiet',
  size = 'normal',
  className,
  ...link
}: AppLinkProps & { look?: 'call' | 'quiet' | 'bare'; size?: 'small' | 'normal' | 'large' }) => (
  <AppLink
    {...link}
    data-look={look}
    data-size={size}
    className={[classes.button, className].filter(Boolean).join(' ')}
  />
);
