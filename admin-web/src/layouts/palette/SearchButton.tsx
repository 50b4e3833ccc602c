import { Button } from '@mantine/core';
import { useHotkeys, useOs } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import classes from '../AdminLayout.module.css';

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

/** Opens the command palette. Its code loads when it is first opened. Ctrl-K or Command-K does the same. */
export const SearchButton = () => {
  const [state, setState] = useState<'unused' | 'opened' | 'closed'>('unused');
  const [openings, setOpenings] = useState(0);
  const [text, setText] = useState('');
  const opener = useRef<Element | null>(null);
  const isMac = useOs({ getValueInEffect: false }) === 'macos';
  const open = () => {
    opener.current = document.activeElement;
    setText('');
    setState('opened');
    setOpenings(openings + 1);
  };
  const close = () => {
    setState('closed');
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (state !== 'opened') return;
    /** Applies what is typed before the palette has loaded and has the focus. */
    const addTyped = (event: KeyboardEvent) => {
      const { key } = event;
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
      if (isShortcut && !event.getModifierState('AltGraph')) return;
      if ((event.target as Element).closest('[data-palette]')) return;
      if (key.length > 1 && !['Enter', 'Backspace', 'Escape'].includes(key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (key === 'Escape') setState('closed');
      else if (key === 'Backspace') setText((before) => before.slice(0, -1));
      else if (key !== 'Enter') setText((before) => before + key);
    };
    document.addEventListener('keydown', addTyped, true);
    return () => document.removeEventListener('keydown', addTyped, true);
  }, [state]);
  useHotkeys([['mod+K', () => (state === 'opened' ? close() : open())]], [], true);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        h={44}
        leftSection={<IconSearch size={18} aria-hidden />}
        classNames={{ section: classes.icon }}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        <span className={classes.word}>Search</span>
        <kbd className={classes.shortcut} aria-hidden>
          {isMac ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </Button>
      {state === 'unused' ? null : (
        <Suspense fallback={null}>
          {/* Starts empty, even if it is still closing. */}
          <Palette
            key={openings}
            opened={state === 'opened'}
            text={text}
            onText={setText}
            onClose={close}
            onLeave={() => setState('closed')}
          />
        </Suspense>
      )}
    </>
  );
};
