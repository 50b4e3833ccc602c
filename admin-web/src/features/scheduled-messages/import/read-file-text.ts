/**
 * The text of a file as spreadsheets save it. They write UTF-8 or UTF-16 where they are asked to, and else the alphabet
 * of the machine, which for most of our languages is Windows-1252.
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
