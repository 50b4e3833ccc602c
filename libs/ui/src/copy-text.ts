/** True once the text is on the clipboard. Where a browser refuses its new way, the old one by the selected field may do. */
export const copyText = async (text: string, field: HTMLInputElement | null): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.focus();
    field?.select();
    return document.execCommand('copy');
  }
};
