import { AppLink, type AppLinkProps } from './AppLink.tsx';
import classes from './LinkButton.module.css';

/** A link styled as a button, without Mantine, so the landing page can use it. */
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
