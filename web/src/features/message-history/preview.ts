const previewLength = 60;

/** The first 60 characters of a text, or all of it where it is no longer. */
export const preview = (content: string): string => {
  const characters = [...content];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('').trimEnd()}...`
    : content;
};
