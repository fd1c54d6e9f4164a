import { visibleText } from '#lib/kernel';
import { clip, type SlackContent, type Span } from './block-kit.js';

/** A mail as text and as HTML; neither has anything in it that decides. */
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

/**
 * The same content as a Slack message, as a mail: its buttons that decide are left out, and one link leads to the page where
 * whoever reads it signs in and decides.
 */
export function renderMail(content: SlackContent, url: string): MailContent {
  const text: string[] = [];
  const html: string[] = [];
  for (const block of content.blocks) {
    switch (block.type) {
      case 'header':
        text.push(block.text.text, '');
        html.push(`<h2>${escapeHtml(block.text.text)}</h2>`);
        break;
      case 'rich_text':
        for (const element of block.elements) {
          if (element.type === 'rich_text_list') {
            const items = element.elements.map((item) => item.elements);
            text.push(...items.map((spans) => `${'  '.repeat(element.indent)}- ${textOf(spans)}`));
            html.push(`<ul>${items.map((spans) => `<li>${htmlOf(spans)}</li>`).join('')}</ul>`);
          } else if (element.type === 'rich_text_quote') {
            text.push(
              ...textOf(element.elements)
                .split('\n')
                .map((line) => `> ${line}`),
            );
            html.push(`<blockquote>${htmlOf(element.elements)}</blockquote>`);
          } else {
            text.push(textOf(element.elements).replace(/\n$/, ''));
            html.push(`<p>${htmlOf(element.elements)}</p>`);
          }
        }
        break;
      default:
    }
  }
  text.push('', `See it in Countersign: ${url}`);
  html.push(`<p><a href="${escapeHtml(url)}">See it in Countersign</a></p>`);
  const header = content.blocks.find((block) => block.type === 'header');
  const title = header?.text.text ?? content.blocks.flatMap(firstText)[0] ?? 'Countersign';
  return {
    // A line feed would begin another header.
    subject: clip(visibleText(title).replaceAll(/\s+/g, ' '), SUBJECT_CHARACTERS),
    text: `${text.join('\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${html.join('\n')}</body></html>`,
  };
}

/** The mail that lets somebody in. Names are others' words: inert, and on one line. */
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
      : `It works once, until ${new Date(invitation.expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC. Opening it uses nothing up.`;
  const lines = [
    `Hello ${name},`,
    `${by} invites you to Countersign, where people approve what AI agents may change.`,
    until,
    'The link is yours alone: nobody else was shown it. Do not forward it.',
  ];
  return {
    subject: `${by} invites you to Countersign`,
    text: `${[...lines, invitation.url].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${lines.map((each) => `<p>${escapeHtml(each)}</p>`).join('\n')}
<p><a href="${escapeHtml(invitation.url)}">Come in</a></p></body></html>`,
  };
}

const firstText = (block: SlackContent['blocks'][number]): string[] =>
  block.type === 'rich_text'
    ? block.elements.flatMap((element) => (element.type === 'rich_text_section' ? [textOf(element.elements)] : []))
    : [];

const textOf = (spans: readonly Span[]): string =>
  spans.map((each) => (each.type === 'text' ? each.text : each.fallback)).join('');

const htmlOf = (spans: readonly Span[]): string =>
  spans
    .map((each) => {
      if (each.type === 'date') return `<time>${escapeHtml(each.fallback)}</time>`;
      const escaped = escapeHtml(each.text).replaceAll('\n', '<br>');
      if (each.style?.code === true) return `<code>${escaped}</code>`;
      return each.style?.bold === true ? `<strong>${escaped}</strong>` : escaped;
    })
    .join('');
