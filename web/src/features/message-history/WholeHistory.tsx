import { Button, TextInput } from '@mantine/core';
import { type SubmitEvent, useRef, useState } from 'react';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { FoundMessages } from './FoundMessages.tsx';
import classes from './WholeHistory.module.css';

const SearchField = ({
  search,
  onSearch,
}: {
  search: string;
  onSearch: (words: string) => void;
}) => {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(field.current?.value.trim() ?? '');
  };
  const clear = () => {
    if (field.current) field.current.value = '';
    field.current?.focus();
    onSearch('');
  };
  return (
    <search>
      <form className={classes.search} onSubmit={submit}>
        <TextInput
          ref={field}
          type="search"
          label="Search your messages"
          placeholder="A word you remember"
          maxLength={100}
          defaultValue={search}
          className={classes.field}
        />
        <Button type="submit" variant="default">
          Search
        </Button>
        {search === '' ? null : (
          <Button variant="default" onClick={clear}>
            Clear
          </Button>
        )}
      </form>
    </search>
  );
};

export const WholeHistory = ({ timeZone }: { timeZone: string }) => {
  const [shown, setShown] = useState(false);
  const [search, setSearch] = useState('');
  return (
    <DashboardCard
      title="All Messages"
      action={
        <Button variant="default" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show All Messages'}
        </Button>
      }
    >
      {shown ? (
        <>
          <SearchField search={search} onSearch={setSearch} />
          <FoundMessages search={search} timeZone={timeZone} />
        </>
      ) : (
        <p className={classes.count}>See and search every text you've received.</p>
      )}
    </DashboardCard>
  );
};
