import type { Faq } from '@daylift/contracts/content.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { IconChevronDown, IconHelpCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import classes from './FaqCard.module.css';
import { faqsQuery } from './support.queries.ts';

/** A native `details` element: one open at a time, and found by in-page search. */
const Question = ({ faq }: { faq: Faq }) => (
  <details className={classes.faq} name="faqs">
    <summary className={classes.question}>
      <span>{faq.question}</span>
      <IconChevronDown className={classes.mark} size={20} stroke={2} aria-hidden="true" />
    </summary>
    <p className={classes.answer}>{faq.answer}</p>
  </details>
);

/** Empty if the call fails. */
export const FaqCard = () => {
  const { data, isPending, isError, isFetching, refetch } = useQuery(faqsQuery);
  const faqs = data ?? [];
  return (
    <DashboardCard title="Frequently Asked Questions">
      {isPending ? <TextSkeleton lines={6} /> : null}
      {!isPending && faqs.length === 0 ? (
        <EmptyState
          picture={<IconHelpCircle size={30} stroke={1.8} />}
          title="No FAQs available yet"
        >
          Contact support for any questions
        </EmptyState>
      ) : null}
      {faqs.map((faq) => (
        <Question key={faq.id} faq={faq} />
      ))}
      {isError ? <QuietRetry busy={isFetching} onRetry={refetch} /> : null}
    </DashboardCard>
  );
};
