/** Stands in for a reader's name, which is of this length on average. */
const sampleName = 'Daniel';

/** A text as a reader may get it, with a name where one is filled in. */
export const withSampleName = (content: string): string =>
  content.replaceAll(/\{\{\s*first_name\s*\}\}/g, sampleName);
