const namePlace = /\{\{\s*first_name\s*\}\}/g;

/** Inserts the first name, or removes the placeholder if there is none. */
export function render(content: string, firstName: string): string {
  return content.replaceAll(namePlace, () => firstName.trim() || 'there');
}
