import { useCatalogue } from '../catalogue.ts';

/** The window's title: what the page is for, then whose it is. */
export const PageTitle = ({ children }: { children: string }) => {
  const name = useCatalogue()?.product_name;
  return <title>{name ? `${children} · ${name}` : children}</title>;
};
