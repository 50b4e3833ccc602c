export const saveFile = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the URL after this task, so revoke it later.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
