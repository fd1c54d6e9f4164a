import { createHash } from 'node:crypto';
import { CARD_SCRIPT } from './card-script.js';
import { CARD_STYLE } from './card-style.js';

/** The resource of the card of a request (MCP Apps). */
export const REQUEST_CARD = 'ui://countersign/request.html';

/** HTML that a host of MCP Apps draws. */
export const CARD_TYPE = 'text/html;profile=mcp-app';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// A host has a policy of its own, which allows any inline script. This one names the two blocks of the card.
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(CARD_SCRIPT)}`,
  `style-src ${hashOf(CARD_STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The card of a request: one document, the same for all. The host gives it the result of the tool. */
export const REQUEST_CARD_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>Request at Countersign</title>
<style>${CARD_STYLE}</style>
</head>
<body>
<main>
<header><span id="state" class="chip" role="status">Reading the request</span><span id="risk" hidden></span><span id="environment" hidden></span></header>
<h1 id="headline" hidden></h1>
<p id="reason" hidden></p>
<section id="said" hidden><h2>The agent says, unchecked</h2><blockquote id="words" class="words"></blockquote></section>
<section id="who" hidden><h2>Who must approve</h2><ul id="missing"></ul></section>
<section id="answers" hidden><h2>Answers so far</h2><ul id="votes"></ul></section>
<p id="left" hidden></p>
<p id="stale" hidden></p>
</main>
<footer id="where" hidden>This card only shows the request. People answer on its page, signed in:<br><code id="page"></code>
<button id="go" type="button" hidden>Open the page</button></footer>
<script>${CARD_SCRIPT}</script>
</body>
</html>
`;
