/**
 * Returns the text of a file saved by a spreadsheet: UTF-8, UTF-16 or, by default, Windows-1252.
 */
export const readFileText = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};
