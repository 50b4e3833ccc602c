import type { DayAnswer } from '@daylift/contracts/timeline.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { formatWholeDate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { List, Text, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClock, IconHelpCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../../../components/Section.tsx';
import { useUrlParams } from '../../../components/use-url-params.ts';
import { MissingNotice } from './MissingNotice.tsx';
import classes from './SubscriberPage.module.css';
import { dayQuery } from './subscriber-page.queries.ts';

const icons: Record<DayAnswer['verdict'], typeof IconClock> = {
  got_it: IconCircleCheck,
  did_not: IconCircleX,
  to_come: IconClock,
  not_known: IconHelpCircle,
};

const Answer = ({ answer }: { answer: DayAnswer }) => {
  const Icon = icons[answer.verdict];
  return (
    <>
      <div className={classes.answer} data-verdict={answer.verdict}>
        <Icon size={28} aria-hidden />
        <div>
          <Text c="dimmed" fz="sm">
            {formatWholeDate(answer.local_date)}
          </Text>
          <Text fw={800} fz="lg">
            {answer.answer}
          </Text>
          {answer.because.length > 0 ? (
            <List mt="xs" spacing={4}>
              {answer.because.map((one) => (
                <List.Item key={one}>{one}</List.Item>
              ))}
            </List>
          ) : null}
        </div>
      </div>
      {answer.facts_then.length === 0 ? null : (
        <details className={classes.more}>
          <summary>State at that time</summary>
          <FactList>
            {answer.facts_then.map(({ label, value }) => (
              <Fact key={label} name={label}>
                {value}
              </Fact>
            ))}
          </FactList>
        </details>
      )}
    </>
  );
};

const isDate = (text: string): boolean => /^2\d{3}-\d{2}-\d{2}$/.test(text);

/** Explains whether and why the subscriber got a text on the date in the URL. */
export const DayQuestion = ({ id, today }: { id: string; today: string }) => {
  const [params, change] = useUrlParams();
  const [typed, setTyped] = useState(() => params.get('day') ?? today);
  const requested = params.get('day');
  const date = requested !== null && isDate(requested) ? requested : typed;
  const query = useQuery({
    ...dayQuery(id, date),
    enabled: isDate(date),
  });
  const choose = (value: string) => {
    setTyped(value);
    if (isDate(value)) change({ day: value }, { replace: true, preventScrollReset: true });
  };
  return (
    <Section title="Did they get their text?">
      <TextInput
        type="date"
        label="Date (subscriber's time zone)"
        value={typed}
        min="2000-01-01"
        max="2999-12-31"
        onChange={(event) => choose(event.currentTarget.value)}
        maw="16rem"
        mb="md"
      />
      <div aria-live="polite">
        {isDate(date) ? (
          <QueryView query={query} lines={4}>
            {(data) => (
              <>
                <MissingNotice missing={data.missing} onRetry={() => void query.refetch()} />
                <Answer answer={data} />
              </>
            )}
          </QueryView>
        ) : null}
      </div>
    </Section>
  );
};
