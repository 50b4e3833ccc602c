import { Link } from 'react-router';
import type { AppLinkProps } from './AppLink.tsx';

/** Uses the router for links within the app, and the browser for anchors, new windows and other sites. */
export const RouterLink = ({ href, ...rest }: AppLinkProps) =>
  href.startsWith('/') && rest.target === undefined ? (
    <Link to={href} {...rest} />
  ) : (
    <a href={href} {...rest} />
  );
