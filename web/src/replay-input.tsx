import { type ReactNode, useEffect } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;
type Held = { element: HTMLElement; pressed: 'button' | 'submit' }[];

const isCheckable = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

/** Records what was typed into prerendered fields. Call right before hydrating. */
export const collectTypedInput = (root: HTMLElement): (() => void)[] =>
  [...root.querySelectorAll<Field>('input, textarea')].flatMap((field) => {
    if (isCheckable(field)) {
      if (field.checked === field.defaultChecked) return [];
      const { checked } = field;
      return [() => replayChecked(field, checked)];
    }
    const { value } = field;
    return value === field.defaultValue ? [] : [() => replayValue(field, value)];
  });

/** Resets React's value tracker, or React would ignore a value that it thinks is already there. */
const replayValue = (field: Field, value: string): void => {
  field.value = '';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

const replayChecked = (field: HTMLInputElement, checked: boolean): void => {
  field.checked = !checked;
  field.click();
};

const replayEvents = (queued: Held): void => {
  for (const { element, pressed } of queued) {
    if (pressed === 'submit' && element instanceof HTMLFormElement) element.requestSubmit();
    else element.click();
  }
};

/** Replays the recorded input on the hydrated page. */
export const ReplayInput = ({
  typed,
  queued,
  children,
}: {
  typed: (() => void)[];
  queued: Held;
  children: ReactNode;
}) => {
  useEffect(() => {
    for (const again of typed.splice(0)) again();
    // Render the typed values before a form is submitted.
    setTimeout(() => replayEvents(queued.splice(0)));
  }, [typed, queued]);
  return children;
};
