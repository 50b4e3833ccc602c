import { type ReactNode, useEffect } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

const isCheckable = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

const defaultOf = (select: HTMLSelectElement): string | undefined =>
  ([...select.options].find((option) => option.defaultSelected) ?? select.options[0])?.value;

/** Records what was typed and chosen in prerendered fields. Call right before hydrating. */
export const collectTypedInput = (root: HTMLElement): (() => void)[] =>
  [...root.querySelectorAll<Field | HTMLSelectElement>('input, textarea, select')].flatMap(
    (field) => {
      if (field instanceof HTMLSelectElement) {
        const { value } = field;
        return value === defaultOf(field) ? [] : [() => replayChoice(field, value)];
      }
      if (isCheckable(field)) {
        if (field.checked === field.defaultChecked) return [];
        const { checked } = field;
        return [() => replayChecked(field, checked)];
      }
      const { value } = field;
      return value === field.defaultValue ? [] : [() => replayValue(field, value)];
    },
  );

const replayChoice = (select: HTMLSelectElement, value: string): void => {
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
};

/** Resets React's value tracker, or React would ignore a value that it thinks is already there. Keeps the selection. */
const replayValue = (field: Field, before: string): void => {
  const { selectionStart, selectionEnd } = field;
  const value = field.value || before;
  field.value = '';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

const replayChecked = (field: HTMLInputElement, checked: boolean): void => {
  field.checked = !checked;
  field.click();
};

const press = (button: HTMLElement): void => {
  button.ariaBusy = null;
  button.click();
};

/** Replays the recorded input on the hydrated page. */
export const ReplayInput = ({
  typed,
  queued,
  children,
}: {
  typed: (() => void)[];
  queued: HTMLElement[];
  children: ReactNode;
}) => {
  useEffect(() => {
    // After the commit, so React renders after each event; before any other event of the page.
    queueMicrotask(() => {
      for (const replay of typed.splice(0)) replay();
      for (const button of queued.splice(0)) press(button);
    });
  }, [typed, queued]);
  return children;
};
