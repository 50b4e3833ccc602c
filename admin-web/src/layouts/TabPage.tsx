import { useSearchParams } from 'react-router';
import { useCatalogue } from '../catalogue.ts';
import { readTab } from '../paths.ts';
import { views } from '../views.tsx';

export const TabPage = () => {
  const [search] = useSearchParams();
  const { label, Page } = views[readTab(search.get('tab'))];
  const name = useCatalogue()?.product_name;
  return (
    <>
      <title>{`${label} · ${name ?? ''} Admin`}</title>
      <Page />
    </>
  );
};
