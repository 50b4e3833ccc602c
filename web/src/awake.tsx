import { type ReactNode, useEffect } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;
type Held = { element: HTMLElement; pressed: 'button' | 'submit' }[];

const isTicked = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

/** Records what was typed into prerendered fields. Call right before hydrating. */
export const findTyped = (root: HTMLElement): (() => void)[] =>
  [...root.querySelectorAll<Field>('input, textarea')].flatMap((field) => {
    if (isTicked(field)) {
      if (field.checked === field.defaultChecked) return [];
      const { checked } = field;
      return [() => tickAgain(field, checked)];
    }
    const { value } = field;
    return value === field.defaultValue ? [] : [() => typeAgain(field, value)];
  });

/** Resets React's value tracker, or React would ignore a value that it thinks is already there. */
const typeAgain = (field: Field, value: string): void => {
  field.value = '';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

const tickAgain = (field: HTMLInputElement, checked: boolean): void => {
  field.checked = !checked;
  field.click();
};

const pressAgain = (held: Held): void => {
  for (const { element, pressed } of held) {
    if (pressed === 'submit' && element instanceof HTMLFormElement) element.requestSubmit();
    else element.click();
  }
};

/** Replays the recorded input on the hydrated page. */
export const Awake = ({
  typed,
  held,
  children,
}: {
  typed: (() => void)[];
  held: Held;
  children: ReactNode;
}) => {
  useEffect(() => {
    for (const again of typed.splice(0)) again();
    // Render the typed values before a form is submitted.
    setTimeout(() => pressAgain(held.splice(0)));
  }, [typed, held]);
  return children;
};
