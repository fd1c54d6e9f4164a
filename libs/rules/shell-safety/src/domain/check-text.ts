import { LIMITS } from './limits.js';
import { Refusal } from './refusal.js';

// Tab and newline are the only control characters of a command line. The others, and the marks that reorder text, show a person
// something else than the shell reads. Shells differ on CR.
// oxlint-disable-next-line no-control-regex -- the control characters are the subject
const UNSHOWN = /[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** @throws Refusal if the text is too long, holds too many expansions, or a character that a person cannot see. */
export function checkText(text: string): void {
  const unshown = UNSHOWN.exec(text);
  if (unshown !== null) {
    const code = unshown[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw new Refusal(
      unshown[0] === '\0' ? 'shell.nul' : 'shell.control_character',
      `The line holds the invisible character U+${code}, which shells read differently. Remove it.`,
      unshown.index,
      unshown.index + 1,
    );
  }
  if (text.length > LIMITS.bytes || (text.length * 3 > LIMITS.bytes && byteLength(text) > LIMITS.bytes)) {
    throw new Refusal(
      'shell.too_long',
      `The line is longer than ${String(LIMITS.bytes)} bytes. Split it, or put it into a file and have that reviewed.`,
      0,
      text.length,
    );
  }
  if (text.length > LIMITS.openings && countOpenings(text) > LIMITS.openings) {
    const most = String(LIMITS.openings);
    const message = `The line holds more than ${most} of the characters $, \`, < and >. Split it.`;
    throw new Refusal('shell.too_many_expansions', message, 0, text.length);
  }
}

const countOpenings = (text: string): number => text.length - text.replaceAll(/[$`<>]/g, '').length;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;
