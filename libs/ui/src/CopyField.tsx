import { Button, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import classes from './CopyField.module.css';
import { copyText } from './copy-text.ts';

type Outcome = 'none' | 'copied' | 'refused';
const shownForMs = 4_000;

const words: Record<Outcome, string> = {
  none: '',
  copied: 'Copied to the clipboard',
  refused: "Couldn't copy automatically. The value is selected, so you can copy it yourself.",
};

/** A value with a copy button. Without clipboard access it selects the value. */
export const CopyField = ({
  label,
  value,
  ref,
}: {
  label: string;
  value: string;
  ref?: Ref<HTMLButtonElement>;
}) => {
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<Outcome>('none');
  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = window.setTimeout(() => setOutcome('none'), shownForMs);
    return () => window.clearTimeout(timer);
  }, [outcome]);
  const copy = async () =>
    setOutcome((await copyText(value, field.current)) ? 'copied' : 'refused');
  return (
    <div>
      <div className={classes.row}>
        <TextInput
          ref={field}
          className={classes.field}
          label={label}
          value={value}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          ref={ref}
          variant="default"
          aria-label={`${outcome === 'copied' ? 'Copied' : 'Copy'} ${label.toLowerCase()}`}
          leftSection={
            outcome === 'copied' ? (
              <IconCheck size={18} aria-hidden="true" />
            ) : (
              <IconCopy size={18} aria-hidden="true" />
            )
          }
          onClick={copy}
        >
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p className={classes.outcome} role="status">
        {words[outcome]}
      </p>
    </div>
  );
};
