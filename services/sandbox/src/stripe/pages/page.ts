import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';

const css = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

export interface PageParts {
  title: string;
  /** Says on every page that this is not a place for real cards. */
  ribbon: string;
  body: Html;
}

/**
 * Sends a page that needs no script. The policy names no form-action, because the answer to the form
 * leads back to another origin and browsers hold redirects against it.
 */
export function sendPage(reply: FastifyReply, status: number, parts: PageParts): FastifyReply {
  const nonce = randomBytes(12).toString('base64');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${parts.title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${{ html: css }}</style>
</head>
<body>
<header class="ribbon">${parts.ribbon}</header>
<main>${parts.body}</main>
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

/** A page that only says something. */
export function sendNote(
  reply: FastifyReply,
  status: number,
  title: string,
  text: string,
  link: Html | null = null,
) {
  return sendPage(reply, status, {
    title,
    ribbon: 'Sandbox – no real money',
    body: html`<section class="card"><h1>${title}</h1><p>${text}</p>${link}</section>`,
  });
}

/** Cents as people read them. */
export function money(cents: number): string {
  const sign = cents < 0 ? '−' : '';
  return `${sign}$${(Math.abs(cents) / 100).toFixed(2)}`;
}

/** A day of the product's time. */
export function longDate(at: number): string {
  return new Date(at * 1000).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  });
}

/** The same, where there is little room. */
export function shortDate(at: number): string {
  return new Date(at * 1000).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  });
}
