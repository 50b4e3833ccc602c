const sampleName = 'Daniel';

/** Inserts the first name, or `there` if it is empty. */
export const withFirstName = (content: string, firstName: string): string =>
  content.replaceAll(/\{\{\s*first_name\s*\}\}/g, () => firstName.trim() || 'there');

export const withSampleName = (content: string): string => withFirstName(content, sampleName);
