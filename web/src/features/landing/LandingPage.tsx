import { useCatalogue } from '../../catalogue.ts';
import { Benefits } from './Benefits.tsx';
import { Faqs } from './Faqs.tsx';
import { Hero } from './Hero.tsx';
import { Invitation } from './Invitation.tsx';
import { Pricing } from './Pricing.tsx';
import { Testimonials } from './Testimonials.tsx';

/** Uses neither the router nor Mantine, so it loads fast. */
export const LandingPage = () => {
  const name = useCatalogue()?.product_name;
  return (
    <>
      <title>
        {name ? `${name}: a kind text for every morning` : 'A kind text for every morning'}
      </title>
      <Hero />
      <Benefits />
      <Pricing />
      <Testimonials />
      <Faqs />
      <Invitation />
    </>
  );
};
