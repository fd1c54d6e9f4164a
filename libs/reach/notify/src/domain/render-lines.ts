import { visibleText, visibleValue } from '#lib/kernel';
import { span, type Line, type Span } from './block-kit.js';

/** Slack refuses a span without text. */
const notEmpty = (each: Span): boolean => each.type !== 'text' || each.text !== '';

const lineOf =
  (kind: Line['kind']) =>
  (...spans: readonly Span[]): Line => ({ kind, spans: spans.filter(notEmpty) });

export const paragraph = lineOf('paragraph');
export const bullet = lineOf('bullet');
export const point = lineOf('point');
export const quote = lineOf('quote');

/** Words of others, visible and inert. */
export const shown = (text: string): Span => span(visibleText(text));
export const bold = (text: string): Span => span(visibleText(text), { bold: true });
export const code = (text: string): Span => span(visibleText(text), { code: true });
/** A value of an argument: as JSON, its line ends and blanks to be seen (T60). */
export const valueCode = (value: unknown): Span => span(visibleValue(value), { code: true });
