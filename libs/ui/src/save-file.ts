/** Puts a file among the person's downloads. */
export const saveFile = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: the browser begins to read it after this task.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
