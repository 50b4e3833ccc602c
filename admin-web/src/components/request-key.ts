/** Returns a random UUID, also on plain HTTP where `crypto.randomUUID` is missing. */
const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const version = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  const variant = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  bytes.set([version], 6);
  bytes.set([variant], 8);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** Returns the same idempotency key for the same form content, and a new one once it changes. */
export const createRequestKeys = () => {
  let last = { content: '', key: '' };
  return (content: string): string => {
    if (content !== last.content || last.key === '') last = { content, key: newKey() };
    return last.key;
  };
};
