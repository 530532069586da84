import { html, joinLines, type Html } from './html.ts';

/**
 * The instructions of a skill exactly as models get them, with headings and code made out by style alone. Rendered Markdown
 * would hide comments and the targets of links from people, but not from models.
 */
export function renderInstructions(body: string): Html {
  let isFenced = false;
  const lines = body.trim().split(/\r\n?|\n/);
  const rendered = lines.map((line): Html => {
    const isFence = /^ {0,3}(?:```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    if (isFence || isFenced) return html`<span class="code">${line}</span>`;
    return /^ {0,3}#{1,6}\s/.test(line) ? html`<span class="heading">${line}</span>` : html`${line}`;
  });
  return html`<pre>${joinLines(rendered)}</pre>`;
}
