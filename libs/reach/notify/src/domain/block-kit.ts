/** Slack's limits (Block Kit reference), in characters and numbers; a message beyond them is refused as a whole. */
export const SLACK_LIMITS = {
  blocks: 50,
  headerText: 150,
  sectionText: 3_000,
  buttonText: 75,
  buttonValue: 2_000,
  actionId: 255,
  url: 3_000,
  actionElements: 25,
  /** Slack cuts a message's text here. */
  text: 4_000,
  /** All text of a message; beyond about 13,000 Slack answers msg_blocks_too_long. */
  message: 12_000,
  modalTitle: 24,
  metadata: 8_000,
} as const;

export interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}

interface Style {
  readonly bold?: true;
  readonly code?: true;
  readonly italic?: true;
}

/** A run of text inside rich text. Slack renders its text as it stands: no markup, mention or link is read from it. */
export type Span =
  | { readonly type: 'text'; readonly text: string; readonly style?: Style }
  | { readonly type: 'date'; readonly timestamp: number; readonly format: string; readonly fallback: string };

type RichElement =
  | { readonly type: 'rich_text_section' | 'rich_text_quote'; readonly elements: readonly Span[] }
  | {
      readonly type: 'rich_text_list';
      readonly style: 'bullet';
      readonly indent: number;
      readonly elements: readonly { readonly type: 'rich_text_section'; readonly elements: readonly Span[] }[];
    };

export interface Button {
  readonly type: 'button';
  readonly action_id: string;
  readonly text: PlainText;
  readonly value?: string;
  readonly url?: string;
  readonly style?: 'primary' | 'danger';
  readonly confirm?: {
    readonly title: PlainText;
    readonly text: PlainText;
    readonly confirm: PlainText;
    readonly deny: PlainText;
  };
}

export type Block =
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'divider' }
  | { readonly type: 'rich_text'; readonly elements: readonly RichElement[] }
  | { readonly type: 'context'; readonly elements: readonly PlainText[] }
  | { readonly type: 'actions'; readonly block_id: string; readonly elements: readonly Button[] };

/** What is posted: blocks, and the text that notifications and screen readers get. */
export interface SlackContent {
  readonly text: string;
  readonly blocks: readonly Block[];
}

export const plain = (text: string): PlainText => ({ type: 'plain_text', text, emoji: false });

export const span = (text: string, style?: Style): Span =>
  style === undefined ? { type: 'text', text } : { type: 'text', text, style };

/** A moment as the reader's own clock shows it. `at` is epoch milliseconds. */
export const moment = (at: number): Span => ({
  type: 'date',
  timestamp: Math.floor(at / 1_000),
  format: '{date_short_pretty} {time} ({ago})',
  fallback: new Date(at).toISOString(),
});

/** The text parameter of a message is read as markup even where that is switched off: these three are what Slack asks to escape. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Shortened without tearing a surrogate pair apart; an ellipsis says so. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** One line of rich text: a paragraph, a point of a list, or quoted words. */
export interface Line {
  readonly kind: 'paragraph' | 'bullet' | 'point' | 'quote';
  readonly spans: readonly Span[];
}

const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, each) => sum + (each.type === 'text' ? each.text.length : each.fallback.length), 0);

/**
 * Lines as rich text blocks, within what a block holds and what is left of the message. What does not fit is left out, and
 * how much that was is told.
 */
export function richText(
  lines: readonly Line[],
  room: { readonly characters: number; readonly blocks: number },
): { readonly blocks: readonly Block[]; readonly used: number; readonly cut: number } {
  const pieces = lines.flatMap(piecesOf);
  const blocks: RichElement[][] = [];
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

const asBlock = (elements: readonly RichElement[]): Block => ({ type: 'rich_text', elements: joined(elements) });

/** A span longer than a block is continued in the next one. */
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

function elementOf({ kind, spans }: Line): RichElement {
  switch (kind) {
    case 'paragraph':
      return { type: 'rich_text_section', elements: [...spans, span('\n')] };
    case 'quote':
      return { type: 'rich_text_quote', elements: spans };
    case 'bullet':
    case 'point':
      return {
        type: 'rich_text_list',
        style: 'bullet',
        indent: kind === 'bullet' ? 0 : 1,
        elements: [{ type: 'rich_text_section', elements: spans }],
      };
  }
}

/** Points of one list stand in one element. */
function joined(elements: readonly RichElement[]): RichElement[] {
  const together: RichElement[] = [];
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
