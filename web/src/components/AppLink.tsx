import { type AnchorHTMLAttributes, createContext, type ElementType, use } from 'react';

export type AppLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

/**
 * The landing page starts without the router, whose code it does not need: there, links are plain.
 * Inside the app the router takes them over.
 */
export const LinkContext = createContext<ElementType<AppLinkProps>>('a');

export const AppLink = (props: AppLinkProps) => {
  const Link = use(LinkContext);
  return <Link {...props} />;
};
