import { createHash } from 'node:crypto';

import { html, joinLines, type Html } from './html.ts';
import { SITE_STYLE } from './site-style.ts';

/** Tells our pages from others in the same folder. */
export const GENERATOR = '<meta name="generator" content="Skillplane">';

/** A whole page. It loads nothing, runs nothing, and its browser is told to allow nothing else. */
export function renderPage(title: string, body: Html): string {
  const style = createHash('sha256').update(SITE_STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
  const head = { html: `${GENERATOR}\n<style>${SITE_STYLE}</style>` };
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return page.html;
}

/** `12,345 bytes`; the same in every language. */
export function inBytes(size: number): string {
  return `${String(size).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')} bytes`;
}

/** The lines that install from an address; the address of the page itself if none is known. */
export function installLines(url: string | undefined): Html {
  const address = url ?? '<address>';
  const lines = joinLines([html`skillplane install ${address}`, html`npx skills add ${address}`]);
  const where = url === undefined ? html`<p>Install from the address of this page:</p>` : html``;
  return html`${where}
    <pre>${lines}</pre>`;
}
