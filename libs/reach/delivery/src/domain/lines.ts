import { visibleText, visibleValue } from '#lib/words';
import { span, type Line, type Span } from './rich-text.js';

/** Slack refuses a span without text. */
const notEmpty = (each: Span): boolean => each.type !== 'text' || each.text !== '';

/** Words of others begin a line in a quotation alone: any other line reads as ours. */
const onOneLine = (each: Span): Span =>
  each.type === 'text' ? { ...each, text: each.text.replaceAll(/\s*\n\s*/g, ' ') } : each;

const lineOf =
  (kind: Line['kind']) =>
  (...spans: readonly Span[]): Line => ({
    kind,
    spans: (kind === 'quote' ? spans : spans.map(onOneLine)).filter(notEmpty),
  });

export const paragraph = lineOf('paragraph');
export const bullet = lineOf('bullet');
export const point = lineOf('point');
export const quote = lineOf('quote');

/** Text that others wrote: hidden characters become visible, and nothing in it is markup. @param order as of `visibleText`. */
export const shown = (text: string, order?: 'word' | 'whole'): Span => span(visibleText(text, order));
export const bold = (text: string): Span => span(visibleText(text), { bold: true });
export const code = (text: string): Span => span(visibleText(text), { code: true });
/** The value of an argument as JSON, with visible line ends and blanks (T60). @param whole the text that it is a part of. */
export const valueCode = (value: unknown, whole?: string): Span => span(visibleValue(value, whole), { code: true });
