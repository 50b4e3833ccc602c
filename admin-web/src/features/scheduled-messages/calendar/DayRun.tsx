import { formatMonthDay } from '@daylift/ui/formats';
import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './CalendarView.module.css';

/** Consecutive days from the library, as one row that opens. */
export const DayRun = ({
  first,
  last,
  children,
}: {
  first: string;
  last: string;
  children: ReactNode;
}) => {
  const [opened, { toggle }] = useDisclosure();
  const id = useId();
  return (
    <li>
      <UnstyledButton
        className={classes.run}
        aria-expanded={opened}
        aria-controls={id}
        onClick={toggle}
      >
        <span>
          <strong>
            {formatMonthDay(first)} – {formatMonthDay(last)}
          </strong>
          : from the library
        </span>
        <IconChevronDown className={classes.chevron} size={18} aria-hidden />
      </UnstyledButton>
      <ol id={id} className={classes.days} hidden={!opened}>
        {opened ? children : null}
      </ol>
    </li>
  );
};
