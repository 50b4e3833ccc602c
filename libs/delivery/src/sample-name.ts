const sampleName = 'Daniel';

export const withSampleName = (content: string): string =>
  content.replaceAll(/\{\{\s*first_name\s*\}\}/g, sampleName);
