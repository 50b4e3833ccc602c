import { Link } from 'react-router';
import type { AppLinkProps } from './AppLink.tsx';

/** A link of this app goes by the router; places on the page, other windows and other sites by the browser. */
export const RouterLink = ({ href, ...rest }: AppLinkProps) =>
  href.startsWith('/') && rest.target === undefined ? (
    <Link to={href} {...rest} />
  ) : (
    <a href={href} {...rest} />
  );
