import type {
  ActionsBlock,
  Button,
  HeaderBlock,
  PlainTextElement,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
} from '@slack/types';
import { clip, lengthOf, span, spanText, type Line, type Span } from '#lib/delivery';
import { visibleText } from '#lib/words';

export type { Button };

/** Slack's limits (Block Kit reference), in characters and numbers. Slack refuses a message beyond them as a whole. */
export const SLACK_LIMITS = {
  blocks: 50,
  headerText: 150,
  sectionText: 3_000,
  /** Slack cuts a message's text here. */
  text: 4_000,
  /** All text of a message; beyond about 13,000 Slack answers msg_blocks_too_long. */
  message: 12_000,
} as const;

/** The blocks that our messages use, of those that Slack has. */
export type Block =
  | HeaderBlock
  | RichTextBlock
  | (Omit<ActionsBlock, 'elements'> & { readonly elements: readonly Button[] });

/** A message: its blocks, and the text that notifications and screen readers get. */
export interface SlackContent {
  readonly text: string;
  readonly blocks: readonly Block[];
}

export const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text, emoji: false });

export const header = (title: string): HeaderBlock => ({
  type: 'header',
  text: plain(clip(visibleText(title), SLACK_LIMITS.headerText)),
});

/** Slack reads the text parameter of a message as markup, even if markup is off. It asks to escape these three. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Slack shows a moment by the clock of its reader. */
const elementsOf = (spans: readonly Span[]): RichTextElement[] =>
  spans.map((each) =>
    each.type === 'text'
      ? each
      : {
          type: 'date',
          timestamp: Math.floor(each.at / 1_000),
          format: '{date_short_pretty} {time} ({ago})',
          fallback: spanText(each),
        },
  );

/**
 * Lines as rich text blocks, within the size of a block and the room that a message has left.
 *
 * @returns the blocks, the characters in them, and the characters that did not fit.
 */
export function richText(
  lines: readonly Line[],
  room: { readonly characters: number; readonly blocks: number },
): { readonly blocks: readonly Block[]; readonly used: number; readonly cut: number } {
  const pieces = lines.flatMap(piecesOf);
  const blocks: RichTextBlockElement[][] = [];
  let inBlock = Number.POSITIVE_INFINITY;
  let used = 0;
  for (const [index, line] of pieces.entries()) {
    const length = lengthOf(line.spans);
    const opens = inBlock + length > SLACK_LIMITS.sectionText;
    if (used + length > room.characters || (opens && blocks.length === room.blocks)) {
      const cut = pieces.slice(index).reduce((sum, { spans }) => sum + lengthOf(spans), 0);
      return { blocks: blocks.map(asBlock), used, cut };
    }
    if (opens) {
      blocks.push([]);
      inBlock = 0;
    }
    blocks.at(-1)?.push(elementOf(line));
    inBlock += length;
    used += length;
  }
  return { blocks: blocks.map(asBlock), used, cut: 0 };
}

const asBlock = (elements: readonly RichTextBlockElement[]): Block => ({
  type: 'rich_text',
  elements: joined(elements),
});

/** A span longer than a block continues in the next one. */
function piecesOf(line: Line): Line[] {
  const pieces: Line[] = [];
  let spans: Span[] = [];
  let length = 0;
  for (const each of line.spans.flatMap(partsOf)) {
    const more = lengthOf([each]);
    if (length + more > SLACK_LIMITS.sectionText) {
      pieces.push({ ...line, spans });
      spans = [];
      length = 0;
    }
    spans.push(each);
    length += more;
  }
  return [...pieces, { ...line, spans }];
}

const PART = 1_000;

function partsOf(each: Span): Span[] {
  if (each.type !== 'text' || each.text.length <= PART) return [each];
  const letters = Array.from(each.text);
  const parts: Span[] = [];
  for (let at = 0; at < letters.length; at += PART / 2) {
    parts.push({ ...each, text: letters.slice(at, at + PART / 2).join('') });
  }
  return parts;
}

function elementOf({ kind, spans }: Line): RichTextBlockElement {
  switch (kind) {
    case 'paragraph':
      return { type: 'rich_text_section', elements: elementsOf([...spans, span('\n')]) };
    case 'quote':
      return { type: 'rich_text_quote', elements: elementsOf(spans) };
    case 'bullet':
    case 'point':
      return {
        type: 'rich_text_list',
        style: 'bullet',
        indent: kind === 'bullet' ? 0 : 1,
        elements: [{ type: 'rich_text_section', elements: elementsOf(spans) }],
      };
  }
}

/** Neighbouring items of one indent share a list. */
function joined(elements: readonly RichTextBlockElement[]): RichTextBlockElement[] {
  const together: RichTextBlockElement[] = [];
  for (const element of elements) {
    const last = together.at(-1);
    if (element.type === 'rich_text_list' && last?.type === 'rich_text_list' && last.indent === element.indent) {
      together[together.length - 1] = { ...last, elements: [...last.elements, ...element.elements] };
    } else {
      together.push(element);
    }
  }
  return together;
}
