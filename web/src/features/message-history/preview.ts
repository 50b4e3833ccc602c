const previewLength = 60;

/** Returns the first 60 characters of a text. */
export const preview = (content: string): string => {
  const characters = [...content];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('').trimEnd()}...`
    : content;
};
