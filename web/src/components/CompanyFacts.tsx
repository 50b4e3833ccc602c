import { formatWholeDate } from '@daylift/ui/formats';
import { useCatalogue } from '../catalogue.ts';

/** The company behind the service, and when the page's text took effect. */
export const CompanyFacts = () => {
  const catalogue = useCatalogue();
  if (!catalogue) return null;
  const { product_name: name, company_name: company, terms_effective_date: date } = catalogue;
  return (
    <p>
      {name} is a service of {company}
      <br />
      Effective {formatWholeDate(date)}
    </p>
  );
};
