/** Placeholder of average length for a first name. */
const sampleName = 'Daniel';

/** Fills in a sample name, as a recipient may get the text. */
export const withSampleName = (content: string): string =>
  content.replaceAll(/\{\{\s*first_name\s*\}\}/g, sampleName);
