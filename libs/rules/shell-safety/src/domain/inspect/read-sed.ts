/** The effects of a program of sed besides its input and output. */
export interface SedProgram {
  readonly executes: boolean;
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/**
 * Reads a program of sed, as POSIX and GNU sed 4.9 agree on it.
 *
 * @returns null if the program is not one that both read alike
 */
export function readSed(text: string): SedProgram | null {
  const reader = new SedReader(text);
  return reader.read() ? reader : null;
}

class SedReader implements SedProgram {
  executes = false;
  readonly writes: string[] = [];
  readonly reads: string[] = [];
  #at = 0;

  constructor(readonly text: string) {}

  read(): boolean {
    for (;;) {
      this.#skip(/[\s;]*/y);
      if (this.#at >= this.text.length) return true;
      if (!this.#addresses() || !this.#command()) return false;
    }
  }

  /** Moves over a match, and returns it. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text)?.[0] ?? '';
    this.#at += match.length;
    return match;
  }

  #addresses(): boolean {
    if (!this.#address()) return false;
    this.#skip(/[ \t]*/y);
    if (this.text[this.#at] === ',') {
      this.#at += 1;
      this.#skip(/[ \t]*/y);
      if (this.#skip(/[+~][0-9]+/y) === '' && !this.#address()) return false;
    }
    this.#skip(/[ \t!]*/y);
    return true;
  }

  /** True after an address, and where none stands. */
  #address(): boolean {
    if (this.#skip(/[0-9]+(?:~[0-9]+)?|\$/y) !== '') return true;
    const char = this.text[this.#at];
    if (char !== '/' && char !== '\\') return true;
    if (char === '\\') this.#at += 1;
    const delimiter = this.text[this.#at];
    this.#at += 1;
    if (delimiter === undefined || !this.#delimited(delimiter, true)) return false;
    this.#skip(/[IM]*/y);
    return true;
  }

  /** Moves behind the next delimiter that no backslash precedes. False in a bracket, which only some read as one. */
  #delimited(delimiter: string, regex: boolean): boolean {
    if (delimiter === '\n' || delimiter === '\\') return false;
    let bracket = false;
    for (; this.#at < this.text.length; this.#at++) {
      const char = this.text.charAt(this.#at);
      if (char === '\\') {
        this.#at += 1;
      } else if (char === delimiter) {
        if (bracket) return false;
        this.#at += 1;
        return true;
      } else if (char === '\n' && regex) {
        return false;
      } else if (regex && char === '[') {
        bracket = true;
        this.#skip(/\[\^?\]?/y);
        this.#at -= 1;
      } else if (char === ']') {
        bracket = false;
      }
    }
    return false;
  }

  #command(): boolean {
    const command = this.text.charAt(this.#at++);
    switch (command) {
      case '{':
        return true;
      case '#':
        this.#skip(/.*/y);
        return true;
      case 'a':
      case 'i':
      case 'c':
        // The text goes on behind a backslash at the end of its line.
        this.#skip(/(?:\\[\s\S]|[^\n\\])*/y);
        return true;
      case ':':
      case 'b':
      case 't':
      case 'T':
        this.#skip(/[ \t]*[\w.-]*/y);
        break;
      case 'r':
      case 'R':
        this.reads.push(this.#path());
        return true;
      case 'w':
      case 'W':
        this.writes.push(this.#path());
        return true;
      case 'e':
        this.executes = true;
        this.#skip(/.*/y);
        return true;
      case 's':
        if (!this.#substitution()) return false;
        break;
      case 'y': {
        const delimiter = this.text.charAt(this.#at++);
        if (!this.#delimited(delimiter, false) || !this.#delimited(delimiter, false)) return false;
        break;
      }
      case 'l':
      case 'L':
      case 'q':
      case 'Q':
        this.#skip(/[ \t]*[0-9]*/y);
        break;
      default:
        if (!/[}=dDgGhHnNpPxzF]/.test(command)) return false;
    }
    this.#skip(/[ \t]*/y);
    return this.#at >= this.text.length || /[;\n}#]/.test(this.text.charAt(this.#at));
  }

  #substitution(): boolean {
    const delimiter = this.text.charAt(this.#at++);
    if (!this.#delimited(delimiter, true) || !this.#delimited(delimiter, false)) return false;
    const flags = this.#skip(/[gpiImMe0-9]*/y);
    if (flags.includes('e')) this.executes = true;
    if (this.text[this.#at] !== 'w') return true;
    this.#at += 1;
    this.writes.push(this.#path());
    return true;
  }

  #path(): string {
    return this.#skip(/.*/y).trim();
  }
}
