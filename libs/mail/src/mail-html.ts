const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Excludes a period that ends the sentence. */
const urls = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]/g;

const linked = (text: string): string => {
  let html = '';
  let end = 0;
  for (const { 0: url, index } of text.matchAll(urls)) {
    html += `${escapeHtml(text.slice(end, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
    end = index + url.length;
  }
  return html + escapeHtml(text.slice(end));
};

const withBreaks = (text: string): string => text.split('\n').map(linked).join('<br>');

const button = /^([A-Z][^:,\n]{1,39}): (https?:\/\/\S+)$/;
const fact = /^([A-Z][\w ]{1,24}): (\S.*)$/;

function paragraphHtml(paragraph: string): string {
  const [, label, url] = button.exec(paragraph) ?? [];
  if (label !== undefined && url !== undefined)
    return `<p><a class="action" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
  const lines = paragraph.split('\n');
  const facts = lines.flatMap((line) => (fact.exec(line)?.slice(1) as [string, string]) ?? []);
  if (lines.length < 2 || facts.length !== 2 * lines.length)
    return `<p>${withBreaks(paragraph)}</p>`;
  const rows = lines.map((_, row) => {
    const [name = '', value = ''] = facts.slice(2 * row);
    return `<tr><th>${escapeHtml(name)}</th><td>${linked(value)}</td></tr>`;
  });
  return `<table class="facts" role="presentation">${rows.join('')}</table>`;
}

const style = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:24px 12px;background:#fffaf4;color:#1b2a4e;font:16px/1.55 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
.mail{max-width:560px;margin:0 auto}
.brand{margin:0 0 16px;padding-left:4px;font-size:20px;font-weight:800}
.card{padding:28px;border:1px solid #efe4d8;border-radius:18px;background:#fff}
p{margin:0 0 16px;overflow-wrap:anywhere}
.card>:last-child{margin-bottom:0}
a{color:#1a5a9e}
.button{display:inline-block;padding:13px 22px;border-radius:12px;background:#ffc069;color:#1b2a4e;font-weight:700;text-decoration:none}
.facts{width:100%;margin:0 0 16px;border-collapse:collapse}
.facts th,.facts td{padding:8px 0;border-bottom:1px solid #efe4d8;text-align:left;vertical-align:top}
.facts td{overflow-wrap:anywhere}
.facts th{width:40%;padding-right:12px;font-weight:400;color:#54607f}
.foot{margin:16px 0 0;padding-left:4px;font-size:14px;color:#54607f}
@media (prefers-color-scheme:dark){
body{background:#0f1730;color:#eef2ff}
a{color:#8fc4ff}
.card{border-color:#2a3560;background:#18223f}
.button{background:#ffc97a;color:#1b2a4e}
.facts th,.facts td{border-color:#2a3560}
.facts th,.foot{color:#adb8d9}
}`;

/** The first action of an email is its button; others are plain links. */
const withOneButton = (html: string): string => html.replace('class="action"', 'class="button"');

/**
 * Returns the HTML version of an email, without images and readable in dark mode. Only emails that we compose get
 * buttons and tables; others quote what strangers wrote.
 */
export function mailHtml(mail: { subject: string; text: string; brand: string }): string {
  const paragraphs = mail.text.split('\n\n');
  const isComposed = /^Hello(?: [^\n]+)?,$/.test(paragraphs[0] ?? '');
  const foot = isComposed ? paragraphs.pop() : undefined;
  const body = paragraphs.map((paragraph) =>
    isComposed ? paragraphHtml(paragraph) : `<p>${withBreaks(paragraph)}</p>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(mail.subject.replaceAll(/\s+/g, ' '))}</title>
<style>${style}</style></head>
<body><div class="mail"><p class="brand">${escapeHtml(mail.brand)}</p>
<div class="card">${withOneButton(body.join('\n'))}</div>
${foot === undefined ? '' : `<p class="foot">${withBreaks(foot)}</p>`}</div></body></html>`;
}

/** Returns the display name of an address such as `Daylift <hello@daylift.example>`. */
export const brandOf = (from: string): string => /^"?([^"<]+?)"?\s*</.exec(from)?.[1] ?? '';
