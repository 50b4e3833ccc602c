/** One spelling for each address: what is stored, compared and hashed. */
export const canonicalEmail = (input: string): string =>
  input.trim().normalize('NFC').toLowerCase();
