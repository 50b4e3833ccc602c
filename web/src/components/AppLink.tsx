import { type AnchorHTMLAttributes, createContext, type ElementType, use } from 'react';

export type AppLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

/**
 * A plain link on the landing page, which has no router; a router link everywhere else.
 */
export const LinkContext = createContext<ElementType<AppLinkProps>>('a');

export const AppLink = (props: AppLinkProps) => {
  const Link = use(LinkContext);
  return <Link {...props} />;
};
