const BACKSLASH = 92;
const BACKTICK = 96;
const DOLLAR = 36;
const NEWLINE = 10;

/** By the code of a character, true for each of a text. Characters beyond ASCII mean nothing to a shell. */
function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

const OPERATORS = tableOf(';&|()<> \t\n');
/** Operators, quotes and the beginnings of all parts of words. */
const MEANINGS = tableOf(';&|()<> \t\n\\`$\'"*?[]{}@+!=~');

/** True if a character of the text means more to a shell than itself. Most words have none. */
export function meansMore(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (MEANINGS[text.charCodeAt(at)] === 1) return true;
  return false;
}

/** True if an operator or a blank stands in the text without a backslash, or a pair lacks its end. */
export function holdsOperator(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      if (++at === text.length) return true;
    } else if (OPERATORS[code] === 1) {
      return true;
    }
  }
  return false;
}

/**
 * True if the text holds an expansion that the parser did not see as one. It has no end (`$[1 + [2]`), or a line
 * continuation behind the dollar sign.
 */
export function holdsExpansion(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKTICK) return true;
    if (code === BACKSLASH) at += 1;
    else if (code === DOLLAR && opensExpansion(text, at + 1)) return true;
  }
  return false;
}

const OPENS = tableOf('([{');

const opensExpansion = (text: string, at: number): boolean =>
  OPENS[text.charCodeAt(at)] === 1 || (text.charCodeAt(at) === BACKSLASH && text.charCodeAt(at + 1) === NEWLINE);
