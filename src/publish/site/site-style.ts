/** Tells our pages from others in the same folder. */
export const GENERATOR = '<meta name="generator" content="Skillplane">';

/** The style of all pages. It stands in each page, so that a page also works from a disk. */
export const SITE_STYLE = `
:root {
  color-scheme: light dark;
  --background: #ffffff; --raised: #f7f7f8; --line: #e4e4e7; --text: #18181b; --muted: #5b5b66;
  --accent: #4f46e5; --good: #15803d; --warn: #a16207; --bad: #b91c1c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #0e0e10; --raised: #17171a; --line: #2a2a2f; --text: #ececf1; --muted: #9a9aa6;
    --accent: #8b85ff; --good: #4ade80; --warn: #facc15; --bad: #f87171;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 60rem; padding: 24px 16px 64px; background: var(--background); color: var(--text);
  font: 14px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
h1 { font-size: 20px; margin: 0 0 4px; }
h2 { font-size: 14px; margin: 32px 0 8px; }
p { margin: 0 0 8px; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre, .name { font-family: ui-monospace, monospace; font-size: 13px; }
.muted { color: var(--muted); }
.critical, .high { color: var(--bad); }
.medium { color: var(--warn); }
pre {
  margin: 0; padding: 12px; background: var(--raised); border: 1px solid var(--line); border-radius: 4px;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
pre .heading { font-weight: 600; }
pre .code { color: var(--muted); }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 600; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: anywhere; }
td.name { white-space: nowrap; }
td.number, th.number { text-align: right; }
.digest { color: var(--muted); font-size: 12px; }
@media (max-width: 720px) {
  .wide { display: none; }
  td.name { white-space: normal; }
}
`;
