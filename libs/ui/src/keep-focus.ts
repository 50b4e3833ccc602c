/** Longer than Mantine takes to return the focus. */
const returnMs = 30;

let focused: EventTarget | null = null;
/** The last focused element of the page itself. */
let place: HTMLElement | null = null;

const remember = ({ target }: FocusEvent) => {
  focused = target;
  if (target instanceof HTMLElement && !target.closest('[role="dialog"], [role="menu"]'))
    place = target;
};
const isDisabled = (target: EventTarget | null): boolean =>
  target instanceof HTMLButtonElement && target.disabled;
const forget = ({ target }: FocusEvent) => {
  if (!isDisabled(target)) focused = null;
};

/**
 * Returns focus to a button that was disabled while it worked: browsers move the focus of a disabled element to the body.
 * Returns a function that stops it.
 */
export function keepFocus(): () => void {
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes)
      if (
        target === focused &&
        target instanceof HTMLButtonElement &&
        !isDisabled(target) &&
        document.activeElement === document.body
      )
        target.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', forget);
  observer.observe(document.body, { subtree: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', forget);
    observer.disconnect();
  };
}

/** Returns whether nothing in particular has the focus, so it may be moved. */
export const isFocusFree = (): boolean => {
  const { activeElement, body } = document;
  return activeElement === body || activeElement?.id === 'main';
};

/** Returns focus to the page after a dialog if its opener is gone, such as a menu item or a button that its action replaced. */
export const returnFocusToPage = (): void => {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const target = place?.isConnected ? place : document.getElementById('main');
    target?.focus({ preventScroll: true });
  }, returnMs);
};
