import { useCatalogue } from '../catalogue.ts';

/** Document title: page, then product name. */
export const PageTitle = ({ children }: { children: string }) => {
  const name = useCatalogue()?.product_name;
  return <title>{name ? `${children} · ${name}` : children}</title>;
};
