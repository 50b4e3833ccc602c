const namePlace = /\{\{\s*first_name\s*\}\}/g;

/** Puts the name in; whoever gave none is greeted without. */
export function render(content: string, firstName: string): string {
  return content.replaceAll(namePlace, () => firstName.trim() || 'there');
}
