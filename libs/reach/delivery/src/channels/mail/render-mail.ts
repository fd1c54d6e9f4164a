import { visibleText } from '#lib/words';
import type { Content } from '../../domain/content.js';
import { paragraph, shown } from '../../domain/lines.js';
import { clip, lengthOf, spanText, type Line, type Span } from '../../domain/rich-text.js';

/** A mail as text and as HTML. Neither can decide anything. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const SUBJECT_CHARACTERS = 180;

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** A mail holds at most this many characters of a message, without its closing lines. */
const MAX_CHARACTERS = 12_000;

/** Mail programs keep styles of elements, and few others. They choose the colours, light or dark, but for those of the link. */
const htmlPage = (blocks: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0 auto;max-width:40rem;padding:1.5rem 1rem;font:15px/1.6 system-ui,'Segoe UI',sans-serif;overflow-wrap:anywhere">
${blocks.join('\n')}
</body></html>`;

const htmlLink = (words: string, url: string): string =>
  `<p style="margin:1.5rem 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:0.625rem 1rem;border-radius:8px;background:#1f4fd8;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(words)}</a></p>`;

/** A message as a mail: it has no button, and one link to the page. */
export function renderMail({ title: given, lines, closing, url }: Content): MailContent {
  // A line feed would begin another header, or a line that reads as ours.
  const title = visibleText(given).replaceAll(/\s+/g, ' ');
  const body = [...within(lines), ...closing];
  return {
    subject: clip(title, SUBJECT_CHARACTERS),
    text: [title, '', ...body.flatMap(textLines), '', `See it in Countersign: ${url}`, ''].join('\n'),
    html: htmlPage([
      `<h2 style="margin:0 0 1rem;font-size:1.25rem;line-height:1.4">${escapeHtml(title)}</h2>`,
      ...htmlBlocks(body),
      htmlLink('See it in Countersign', url),
    ]),
  };
}

/** The lines that fit; the first that does not, and all after it, are counted instead. */
function within(lines: readonly Line[]): readonly Line[] {
  let used = 0;
  const end = lines.findIndex(({ spans }) => (used += lengthOf(spans)) > MAX_CHARACTERS);
  if (end === -1) return lines;
  const cut = lines.slice(end).reduce((sum, { spans }) => sum + lengthOf(spans), 0);
  return [...lines.slice(0, end), paragraph(shown(`${String(cut)} characters do not fit into a mail: open it.`))];
}

const BEFORE = { paragraph: '', bullet: '- ', point: '  - ', quote: '> ' } as const;

const textLines = ({ kind, spans }: Line): string[] => {
  const text = spans.map(spanText).join('');
  return kind === 'quote' ? text.split('\n').map((line) => `> ${line}`) : [`${BEFORE[kind]}${text}`];
};

/** Neighbouring items of one indent share a list. */
function htmlBlocks(lines: readonly Line[]): string[] {
  const blocks: string[] = [];
  for (const [index, { kind, spans }] of lines.entries()) {
    const html = htmlOf(spans);
    if (kind === 'paragraph') blocks.push(`<p>${html}</p>`);
    else if (kind === 'quote')
      blocks.push(
        `<blockquote style="margin:1rem 0;padding-left:1rem;border-left:3px solid #8490a2">${html}</blockquote>`,
      );
    else {
      if (lines[index - 1]?.kind !== kind) blocks.push(kind === 'point' ? '<ul style="margin-left:1.5rem">' : '<ul>');
      blocks.push(`<li>${html}</li>`);
      if (lines[index + 1]?.kind !== kind) blocks.push('</ul>');
    }
  }
  return blocks;
}

/** The mail that invites a person. Names are written by others: they stay inert and on one line. */
export function renderInvitationMail(invitation: {
  readonly displayName: string;
  readonly invitedBy: string;
  readonly url: string;
  readonly expiresAt: number | null;
}): MailContent {
  const inline = (text: string): string => clip(visibleText(text).replaceAll(/\s+/g, ' '), 200);
  const [name, by] = [inline(invitation.displayName), inline(invitation.invitedBy)];
  const until =
    invitation.expiresAt === null
      ? 'A second person has to confirm the invitation first. From then on it is good for a day, once.'
      : `It works once, until ${new Date(invitation.expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC: setting up your passkey uses it up, and opening it does not.`;
  const lines = [
    `Hello ${name},`,
    `${by} invites you to Countersign, where people approve what AI agents may change.`,
    until,
    'The link is yours alone: nobody else was shown it. Do not forward it.',
  ];
  return {
    subject: `${by} invites you to Countersign`,
    text: `${[...lines, invitation.url].join('\n\n')}\n`,
    html: htmlPage([
      ...lines.map((each) => `<p>${escapeHtml(each)}</p>`),
      htmlLink('Open the invitation', invitation.url),
    ]),
  };
}

const htmlOf = (spans: readonly Span[]): string =>
  spans
    .map((each) => {
      if (each.type === 'moment') return `<time>${spanText(each)}</time>`;
      const escaped = escapeHtml(each.text).replaceAll('\n', '<br>');
      if (each.style?.code === true) return `<code>${escaped}</code>`;
      return each.style?.bold === true ? `<strong>${escaped}</strong>` : escaped;
    })
    .join('');
