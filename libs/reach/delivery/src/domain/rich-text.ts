/** How a span is emphasised. */
export interface Style {
  readonly bold?: true;
  readonly code?: true;
  readonly italic?: true;
}

/** A run of text, or a moment in epoch milliseconds. A channel shows the text as it stands: it reads no markup, mention or link. */
export type Span =
  | { readonly type: 'text'; readonly text: string; readonly style?: Style }
  | { readonly type: 'moment'; readonly at: number };

/** A paragraph, an item of a list, an item below one, or quoted words. */
export interface Line {
  readonly kind: 'paragraph' | 'bullet' | 'point' | 'quote';
  readonly spans: readonly Span[];
}

export const span = (text: string, style?: Style): Span =>
  style === undefined ? { type: 'text', text } : { type: 'text', text, style };

export const moment = (at: number): Span => ({ type: 'moment', at });

/** The text of a span, a moment in ISO 8601. */
export const spanText = (each: Span): string => (each.type === 'text' ? each.text : new Date(each.at).toISOString());

export const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, each) => sum + spanText(each).length, 0);

/** Text of at most `max` UTF-16 units: a cut ends with an ellipsis and never splits a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
