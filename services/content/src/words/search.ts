/** Returns an SQL pattern that matches the text literally, anywhere. */
export const contains = (search: string): string =>
  `%${search.trim().replaceAll(/[\\%_]/g, (one) => `\\${one}`)}%`;
