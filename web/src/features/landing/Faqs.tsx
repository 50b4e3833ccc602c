import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import classes from './Faqs.module.css';

export const faqsQuery = apiQuery(['faqs'], 'GET /faqs');

/** Opens without scripts. Renders nothing if there are no questions. */
export const Faqs = () => {
  const faqs = useQuery(faqsQuery).data ?? [];
  if (faqs.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="faqs-title">
      <h2 id="faqs-title" className={classes.title}>
        Before you ask
      </h2>
      <div className={classes.list}>
        {faqs.map(({ id, question, answer }) => (
          <details key={id} name="faqs">
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
};
