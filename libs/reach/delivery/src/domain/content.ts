import type { Line } from './rich-text.js';

/** A message as every channel can show it. Nothing in it decides anything. */
export interface Content {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Lines that stay if a channel has no room for all of `lines`. */
  readonly closing: readonly Line[];
  /** The page that shows everything. */
  readonly url: string;
}
