/**
 * Returns focus to a button that was disabled while it worked: browsers move the focus of a disabled element to the body,
 * without an event. Returns a function that stops it.
 */
export function keepFocusOnBusyButtons(): () => void {
  let focused: EventTarget | null = null;
  const remember = ({ target }: FocusEvent) => {
    focused = target;
  };
  const forget = () => {
    focused = null;
  };
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes)
      if (
        target === focused &&
        target instanceof HTMLButtonElement &&
        !target.disabled &&
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
