import { ownMember } from '#lib/canonical';
import type { Fields, Workspace } from './workspace.js';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

// The checks of the methods found no fault in the blocks: each list is one of objects.
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as readonly Fields[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:13rem minmax(0,50rem);gap:1.5rem;padding:1.5rem}
nav{position:sticky;top:1.5rem;align-self:start}h1{font-size:1.1rem;margin:0 0 .5rem}h2{font-size:1rem;margin:0 0 .6rem}article{border:1px solid #8885;border-radius:.6rem;padding:.8rem 1rem;margin:0 0 1rem}
article article{margin:.6rem 0 0 1rem;font-size:.92em}.me{border-style:dashed}button,a.button{font:inherit;border:1px solid #8888;border-radius:.4rem;padding:.3rem .7rem;background:transparent;color:inherit;text-decoration:none;cursor:pointer;display:inline-block;margin:0 .4rem .3rem 0}
:is(button,a.button).primary{background:#007a5a;color:#fff;border-color:#007a5a}.danger{background:#c01343;color:#fff;border-color:#c01343}form{display:inline}blockquote{border-left:.25rem solid #8886;margin:.4rem 0;padding-left:.8rem}code{background:#8882;border-radius:.25rem;padding:0 .2rem;overflow-wrap:anywhere}
.sign{display:inline-block;width:.8em;height:.8em;border-radius:50%;margin-right:.1em}ul{margin:.2rem 0;padding-left:1.2rem}p{margin:.3rem 0}small{opacity:.7}textarea{width:100%;font:inherit}nav a{display:block;padding:.15rem 0}@media(max-width:50rem){body{grid-template-columns:1fr}nav{position:static}}`;

/**
 * The workspace as a page: the messages of each channel, with their buttons.
 *
 * @param again whether the page reloads once, after two seconds.
 */
export function page(slack: Workspace, as: string, again: boolean): string {
  const { workspace } = slack;
  const user = as in workspace.users ? as : (Object.keys(workspace.users)[0] ?? '');
  const hidden = `<input type="hidden" name="as" value="${escape(user)}">`;
  const people = Object.entries(workspace.users).map(
    ([id, name]) =>
      `<a href="/?as=${escape(id)}"${id === user ? ' aria-current="true"' : ''}>${id === user ? '● ' : ''}${escape(name)}</a>`,
  );
  const modals = slack.modals
    .filter((modal) => modal.user === user)
    .map(
      (modal) =>
        `<article class="me"><h2>${escape(titleOf(modal.view))}</h2>${blocks(listOf(modal.view.blocks), null, hidden)}<form method="post" action="/act">${hidden}<input type="hidden" name="modal" value="${escape(modal.id)}">${field(modal.view)}</form></article>`,
    );
  const mine = slack.ephemerals
    .filter((each) => each.user === user && each.dismissed !== true)
    .slice(-3)
    .map(
      (each) => `<article class="me"><small>only you see this</small>${blocks(each.blocks, null, hidden)}</article>`,
    );
  const dismiss =
    mine.length === 0
      ? ''
      : `<form method="post" action="/act">${hidden}<input type="hidden" name="dismiss" value="yes"><p><button>Dismiss what only you see</button></p></form>`;
  const conversations = [
    ...Object.entries(workspace.channels),
    ...Object.entries(workspace.users).map(([id, name]) => [`D${id.slice(1)}`, `direct: ${name}`] as const),
  ];
  const channels = conversations.map(([id, name]) => {
    const messages = slack.in(id).toReversed();
    if (messages.length === 0 && id.startsWith('D')) return '';
    const shown = messages.map((message) => {
      const thread = slack
        .thread(message.ts)
        .map((reply) => `<article>${blocks(reply.blocks, null, hidden)}</article>`);
      const edited = message.edits === 0 ? '' : '<small>(edited)</small>';
      const reply = `<form method="post" action="/act">${hidden}<input type="hidden" name="ts" value="${escape(message.ts)}"><p><label>Reply in the thread <input name="reply" required></label> <button>Send</button></p></form>`;
      return `<article>${blocks(message.blocks, message.ts, hidden)}${edited}${thread.join('')}${reply}</article>`;
    });
    return `<section><h1>${id.startsWith('D') ? '' : '#'}${escape(name)}</h1>${shown.join('') || '<p>Nothing yet.</p>'}</section>`;
  });
  const command = `<form method="post" action="/act">${hidden}<input type="hidden" name="command" value="link"><input type="hidden" name="channel" value="${escape(Object.keys(workspace.channels)[0] ?? '')}"><button>/countersign link</button></form>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Slack (local)</title>${again ? `<meta http-equiv="refresh" content="2;url=/?as=${escape(encodeURIComponent(user))}">` : ''}<style>${STYLE}</style></head>
<body><nav><h1>${escape(workspace.teamName)}</h1><small>You are</small>${people.join('')}<p>${command}</p><p><a class="button" href="/?as=${escape(user)}">Refresh</a></p></nav><main>${modals.join('')}${mine.join('')}${dismiss}${channels.join('')}</main></body></html>`;
}

// The checks of the methods found no fault in the blocks.
const plainOf = (value: unknown): string => textOf((value as Fields | undefined)?.text);
const titleOf = (view: Fields): string => plainOf(view.title);

/** The field of a modal and its button; a modal without a field is only closed. */
function field(view: Fields): string {
  const input = listOf(view.blocks).find(({ type }) => type === 'input');
  if (input === undefined) return `<button>${escape(plainOf(view.close))}</button>`;
  const required = input.optional === true ? '' : ' required';
  return `<p><label>${escape(plainOf(input.label))}<textarea name="comment" rows="3"${required} autofocus></textarea></label></p><button class="primary">${escape(plainOf(view.submit))}</button>`;
}

function blocks(all: readonly Fields[], ts: string | null, hidden: string): string {
  return all
    .map((block) => {
      switch (block.type) {
        case 'header':
          // A header has a text, or the methods refuse it.
          return `<h2>${escape(textOf((block.text as Fields).text))}</h2>`;
        case 'rich_text':
          return listOf(block.elements).map(rich).join('');
        case 'actions':
          return `<p>${listOf(block.elements)
            .map((button) => pressable(button, ts, hidden))
            .join('')}</p>`;
        default:
          return '';
      }
    })
    .join('');
}

function rich(element: Fields): string {
  const inside = listOf(element.elements);
  switch (element.type) {
    case 'rich_text_list':
      return `<ul style="margin-left:${String(Number(element.indent ?? 0) * 1.2)}rem">${inside.map((item) => `<li>${spans(listOf(item.elements))}</li>`).join('')}</ul>`;
    case 'rich_text_quote':
      return `<blockquote>${spans(inside)}</blockquote>`;
    default:
      return `<p>${spans(inside)}</p>`;
  }
}

/** The signs of risk as Slack's own pictures: few servers have a font of emojis. */
const SIGNS: Readonly<Record<string, string>> = { '🟢': '#2f9e44', '🟡': '#e0a800', '🟠': '#e8590c', '🔴': '#d6293e' };
const drawn = (text: string): string =>
  text.replace(
    /[🟢🟡🟠🔴]/gu,
    (sign) =>
      `<span role="img" aria-label="${sign}" class="sign" style="background:${ownMember(SIGNS, sign) ?? ''}"></span>`,
  );

const spans = (all: readonly Fields[]): string =>
  all
    .map((each) => {
      if (each.type === 'date') {
        const at = new Date(Number(each.timestamp) * 1_000);
        return `<time datetime="${at.toISOString()}">${escape(at.toISOString().replace('T', ' ').slice(0, 16))} UTC</time>`;
      }
      const text = drawn(escape(textOf(each.text))).replaceAll('\n', '<br>');
      // A style is an object, or the methods refuse it.
      const style = (each.style ?? {}) as Fields;
      if (style.code === true) return `<code>${text}</code>`;
      return style.bold === true ? `<strong>${text}</strong>` : text;
    })
    .join('');

function pressable(button: Fields, ts: string | null, hidden: string): string {
  // A button has a text, or the methods refuse it.
  const label = escape(textOf((button.text as Fields).text));
  const style = textOf(button.style);
  if (typeof button.url === 'string') {
    return `<a class="button ${escape(style)}" href="${escape(button.url)}" target="_blank" rel="noopener noreferrer">${label}</a>`;
  }
  if (ts === null) return '';
  return `<form method="post" action="/act">${hidden}<input type="hidden" name="ts" value="${escape(ts)}"><input type="hidden" name="action" value="${escape(textOf(button.action_id))}"><button class="${escape(style)}">${label}</button></form>`;
}
