export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | undefined | false | readonly Html[];

/** Renders a template and escapes its values, except nested templates. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  let text = strings[0]!;
  values.forEach((value, index) => {
    text += render(value) + strings[index + 1];
  });
  return { html: text };
}

function render(value: Part): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  if ('html' in value) return value.html;
  return value.map((each) => each.html).join('');
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
