import { formatWholeDate } from '@daylift/ui/formats';
import { useCatalogue } from '../catalogue.ts';

/** Who offers the service, and since when the text of the page applies. */
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
