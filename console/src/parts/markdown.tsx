import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { h, type ComponentChild, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import { visible } from '../lib/visible-text.ts';

interface MarkdownProps {
  readonly text: string;
  /** Called with the path of a link that leads to another file of the skill. */
  readonly onOpenFile?: ((path: string) => void) | undefined;
}

/**
 * Markdown of a skill, which is hostile. HTML in it is text, nothing in it loads anything, and its headings stand below
 * those of the page. Links show where they lead; those to other servers open elsewhere.
 */
export function Markdown({ text, onOpenFile }: MarkdownProps): JSX.Element {
  const content = useMemo(() => {
    const html = micromark(visible(text), { extensions: [gfmTable(), NO_IMAGES], htmlExtensions: [gfmTableHtml()] });
    // A document of its own, in which nothing runs and nothing loads.
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    return convertAll(body, { onOpenFile, level: 2 });
  }, [text, onOpenFile]);
  return <div class="markdown">{content}</div>;
}

const NO_IMAGES = { disable: { null: ['labelStartImage', 'autolink'] } };

interface Converting {
  readonly onOpenFile: MarkdownProps['onOpenFile'];
  /** The level of the last heading. The next one may be one lower at most, so that no level is left out. */
  level: number;
}

function convertAll(parent: Node, converting: Converting): readonly ComponentChild[] {
  return [...parent.childNodes].map((node) => convert(node, converting));
}

/** Elements that stay what they are; everything else becomes its content. */
const KEPT = new Set([
  'P',
  'UL',
  'OL',
  'LI',
  'BLOCKQUOTE',
  'PRE',
  'CODE',
  'EM',
  'STRONG',
  'HR',
  'BR',
  'TABLE',
  'THEAD',
  'TBODY',
  'TR',
  'TH',
  'TD',
]);

function convert(node: Node, converting: Converting): ComponentChild {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element) && !isElement(node)) return null;
  const children = convertAll(node, converting);
  const heading = /^H([1-6])$/.exec(node.nodeName)?.[1];
  if (heading !== undefined) {
    converting.level = Math.min(6, Number(heading) + 2, converting.level + 1);
    return h(`h${converting.level}`, {}, ...children);
  }
  if (node.nodeName === 'A') return convertLink(node.getAttribute('href') ?? '', children, converting.onOpenFile);
  if (node.nodeName === 'TABLE')
    return (
      <div class="wide" tabIndex={0} role="group" aria-label="Table">
        <table>{children}</table>
      </div>
    );
  if (node.nodeName === 'PRE') return h('pre', { tabIndex: 0 }, ...children);
  return KEPT.has(node.nodeName) ? h(node.nodeName.toLowerCase(), {}, ...children) : children;
}

/** Nodes of another document are no instances of this one's classes. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

function convertLink(
  href: string,
  children: readonly ComponentChild[],
  onOpenFile: MarkdownProps['onOpenFile'],
): JSX.Element {
  if (/^https?:\/\//i.test(href))
    return (
      <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
        {children}
      </a>
    );
  const path = href.replace(/^\.\//, '').replace(/[#?].*$/s, '');
  if (onOpenFile !== undefined && /^[\w][^:]*$/.test(path))
    return (
      <button type="button" class="link" onClick={() => onOpenFile(decode(path))}>
        {children}
      </button>
    );
  return <span title={href}>{children}</span>;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
