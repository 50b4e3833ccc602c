import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';

const css = readFileSync(new URL('../../page.css', import.meta.url), 'utf8');

export type PageForm = Record<string, string>;

/** Lets the routes of this scope accept what a browser's form sends. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

/**
 * Sends a page that needs no script. The policy names no form-action, because the response to the form
 * redirects to another origin and browsers apply it to redirects.
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  title: string,
  body: Html,
): FastifyReply {
  const nonce = randomBytes(12).toString('base64');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${{ html: css }}</style>
</head>
<body>
<header class="ribbon">Sandbox ${title.toLowerCase()} – no real money</header>
<main>${body}</main>
</body>
</html>`;
  return reply
    .code(status)
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.html);
}

/** Sends a page with a message and at most one link. */
export function sendNote(
  reply: FastifyReply,
  status: number,
  title: string,
  text: string,
  link: Html | null = null,
): FastifyReply {
  const note = html`<section class="card"><h1>${title}</h1><p>${text}</p>${link}</section>`;
  return sendPage(reply, status, 'Billing', note);
}

/** Formats an amount in the smallest unit of its currency, such as −$1.25. */
export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return `${amount < 0 ? '−' : ''}${format.format(Math.abs(amount) / 100)}`;
}

/** Formats a day of the product's time. */
export function date(at: number, month: 'long' | 'short' = 'long'): string {
  const format = { timeZone: 'UTC', month, day: 'numeric', year: 'numeric' } as const;
  return new Date(at * 1000).toLocaleDateString('en-US', format);
}
