/** The look of the card. Hosts give colours and fonts by the names of MCP Apps; these are ours without them. */
export const CARD_STYLE = `
:root {
  color-scheme: light dark;
  --back: var(--color-background-primary, light-dark(#ffffff, #16181d));
  --text: var(--color-text-primary, light-dark(#1b1f27, #f0f1f4));
  --quiet: var(--color-text-secondary, light-dark(#565d6b, #a9b0bd));
  --line: var(--color-border-primary, light-dark(#d9dce3, #363b46));
  --good: light-dark(#11683a, #6fd39b);
  --warn: light-dark(#8a4b00, #f2b35e);
  --bad: light-dark(#a11525, #ff9aa2);
}
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: 16px;
  background: var(--back);
  color: var(--text);
  font: 14px/1.45 var(--font-sans, system-ui, sans-serif);
  overflow-wrap: anywhere;
}
[hidden] { display: none; }
header { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
h1 { margin: 10px 0 0; font-size: 16px; line-height: 1.35; }
h2 { margin: 14px 0 2px; font-size: 12px; font-weight: 600; color: var(--quiet); }
p, ul, blockquote { margin: 0; }
#left, #stale { margin-top: 14px; }
ul { padding-left: 18px; }
.chip { border: 1px solid var(--line); border-radius: 999px; padding: 1px 9px; font-size: 12px; }
.good { color: var(--good); border-color: currentColor; }
.warn { color: var(--warn); border-color: currentColor; }
.bad { color: var(--bad); border-color: currentColor; }
.words {
  max-height: 8em;
  overflow: auto;
  border-left: 3px solid var(--line);
  padding-left: 10px;
  white-space: pre-wrap;
  unicode-bidi: isolate;
}
footer { margin-top: 16px; border-top: 1px solid var(--line); padding-top: 10px; color: var(--quiet); font-size: 12px; }
footer code { font: 12px/1.4 var(--font-mono, ui-monospace, monospace); color: var(--text); }
button {
  display: block;
  margin-top: 8px;
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 5px 12px;
  background: none;
  color: var(--text);
  font: inherit;
  cursor: pointer;
}
button:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
`;
