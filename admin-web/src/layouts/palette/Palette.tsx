import { Box, CloseButton, Modal, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { counted } from '../../components/counted.ts';
import type { RequestedAction } from '../../components/use-requested-action.ts';
import classes from './Palette.module.css';
import type { Result } from './result.ts';
import { useResults } from './use-results.ts';

// Escape is handled here, or it would close a dialog below instead.
const ownEscape = { 'data-mantine-stop-propagation': true };

const Option = ({
  id,
  result: { Icon, label, detail },
  selected,
  onClick,
}: {
  id: string;
  result: Result;
  selected: boolean;
  onClick: () => void;
}) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the input, which handles the keys.
  // biome-ignore lint/a11y/useFocusableInteractive: the input refers to the selected option.
  <div
    id={id}
    className={classes.option}
    role="option"
    aria-selected={selected}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onClick}
  >
    <Icon size={20} aria-hidden />
    <div className={classes.words}>
      <span className={classes.label}>{label}</span>
      <span className={classes.detail}>{detail}</span>
    </div>
  </div>
);

const Search = ({
  text,
  onText,
  onClose,
  onChoose,
}: {
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
  onChoose: (result: Result) => void;
}) => {
  const listId = useId();
  const idOf = ({ key }: Result) => `${listId}${key}`;
  const [chosen, setChosen] = useState<string | null>(null);
  const { groups, searching, failed } = useResults(text);
  const results = groups.flatMap((group) => group.results);
  const index = Math.max(
    0,
    results.findIndex(({ key }) => key === chosen),
  );
  const selected = results[index];
  const selectedId = selected && idOf(selected);
  useEffect(() => {
    if (selectedId) document.getElementById(selectedId)?.scrollIntoView({ block: 'nearest' });
  }, [selectedId]);
  const move = (by: number) => setChosen(results.at((index + by) % results.length)?.key ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key !== 'Enter') return;
    else if (selected) onChoose(selected);
    event.preventDefault();
  };
  return (
    <>
      <div className={classes.head}>
        <TextInput
          className={classes.input}
          data-autofocus
          role="combobox"
          aria-label="Search pages, actions, subscribers and messages"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={selectedId}
          placeholder="Pages, actions, subscribers, messages"
          leftSection={<IconSearch size={18} aria-hidden />}
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => {
            onText(event.currentTarget.value);
            setChosen(null);
          }}
          onKeyDown={onKeyDown}
          {...ownEscape}
        />
        <CloseButton size={44} aria-label="Close" onClick={onClose} {...ownEscape} />
      </div>
      <div id={listId} className={classes.list} role="listbox" aria-label="Results">
        {groups.map(({ label, results: found }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be in a listbox.
          <div key={label} role="group" aria-label={label}>
            <div className={classes.group} aria-hidden>
              {label}
            </div>
            {found.map((result) => (
              <Option
                key={result.key}
                id={idOf(result)}
                result={result}
                selected={result === selected}
                onClick={() => onChoose(result)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={classes.status} role="status">
        {searching
          ? 'Searching…'
          : failed
            ? "Some results couldn't be loaded. Please try again."
            : results.length === 0
              ? 'No results. Try a page, an action, a name, an email or a phone number.'
              : counted(results.length, 'result', 'results')}
      </p>
    </>
  );
};

/** Finds pages, actions, subscribers and messages, and opens the selected one. */
export const Palette = ({
  opened,
  text,
  onText,
  onClose,
  onLeave,
}: {
  opened: boolean;
  text: string;
  onText: (text: string) => void;
  /** Closes without leaving the page. */
  onClose: () => void;
  onLeave: () => void;
}) => {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const currentPath = `${pathname}${search}`;
  const choose = ({ path, action }: Result) => {
    onLeave();
    document.getElementById('main')?.focus({ preventScroll: true });
    const stays = path === currentPath;
    const state = action ? ({ action } satisfies RequestedAction) : null;
    void navigate(path, { state, replace: stays, preventScrollReset: stays });
  };
  return (
    <Modal.Root opened={opened} onClose={onClose} size="lg" zIndex={300} returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Box
          p="sm"
          data-palette
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose();
          }}
        >
          <Search text={text} onText={onText} onClose={onClose} onChoose={choose} />
        </Box>
      </Modal.Content>
    </Modal.Root>
  );
};
