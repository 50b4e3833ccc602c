/** A pattern of SQL for these very characters, wherever they stand. */
export const contains = (search: string): string =>
  `%${search.trim().replaceAll(/[\\%_]/g, (one) => `\\${one}`)}%`;
