/** Characters after which `#` begins a comment. */
const BEFORE_COMMENT = /[\s;&|()]/;
const TAB = 9;
const NEWLINE = 10;
const SPACE = 32;
const HASH = 35;
const AND = 38;
const SEMICOLON = 59;
const BACKSLASH = 92;

/** Reads a text once from left to right, and remembers where something else stood than was asked for. */
export class TextReading {
  #at: number;
  #lost: number | null = null;
  /** The beginnings of the bodies of here-documents, and the ends of their closing lines. */
  #bodies: Map<number, number> | null = null;

  constructor(
    readonly source: string,
    readonly start: number,
    readonly end: number,
  ) {
    this.#at = start;
  }

  /** The position of the first character that was not asked for, or null. */
  get lost(): number | null {
    return this.#lost;
  }

  /** Reads white space, and says where it ends. */
  get position(): number {
    this.#skip();
    return this.#at;
  }

  /** Reads white space up to a node. */
  to(position: number): void {
    if (this.#standsBefore(position)) {
      this.#at = position;
      return;
    }
    this.#skip();
    if (this.#at !== position) this.lose();
    this.#at = position;
  }

  /** Reads white space and a node that has no children. */
  leaf(start: number, end: number): void {
    this.to(start);
    this.#at = end;
  }

  /** Reads white space and an operator or a reserved word. */
  need(token: string): void {
    if (!this.take(token)) this.lose();
  }

  /** As {@link need}, if the token is there. */
  take(token: string): boolean {
    this.#skip();
    if (!this.source.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  /** Reads the semicolon behind a command, if there is one: a newline ends the command, too. */
  separator(): void {
    const before = this.#at;
    if (before === this.end) return;
    this.#skip();
    const { source } = this;
    if (source.charCodeAt(this.#at) !== SEMICOLON || this.#endsLine(before)) return;
    // `;;`, `;&` and `;;&` end an item of a case.
    const next = source.charCodeAt(this.#at + 1);
    if (next !== SEMICOLON && next !== AND) this.#at += 1;
  }

  /** True if white space is all that stands before the position. */
  reaches(position: number): boolean {
    return this.position >= position;
  }

  /** True before a semicolon, behind a newline, and at the end. */
  endsList(): boolean {
    const before = this.#at;
    this.#skip();
    return (
      this.#at === this.end || /^;(?![;&])/.test(this.source.slice(this.#at, this.#at + 2)) || this.#endsLine(before)
    );
  }

  /** Notes the body of a here-document, which stands behind the line. */
  hereDocument(start: number, end: number): void {
    this.#bodies ??= new Map();
    this.#bodies.set(start, end);
  }

  /** Notes that something else stands here. */
  lose(position = this.#at): void {
    this.#lost ??= position;
  }

  /**
   * True if the next character, or the one behind a blank, is at the position. It must be none that is skipped. Most
   * nodes stand so.
   */
  #standsBefore(position: number): boolean {
    const between = position - this.#at;
    if (between !== 0 && !(between === 1 && this.source.charCodeAt(this.#at) === SPACE)) return false;
    const code = this.source.charCodeAt(position);
    return code > SPACE && code !== HASH && code !== BACKSLASH;
  }

  #skip(): void {
    const { source, end } = this;
    let at = this.#at;
    while (at < end) {
      const code = source.charCodeAt(at);
      if (code === SPACE || code === TAB) at += 1;
      else if (code === NEWLINE) at = this.#bodies?.get(at + 1) ?? at + 1;
      else if (code === BACKSLASH && source.charCodeAt(at + 1) === NEWLINE) at += 2;
      else if (code === HASH && this.#beginsComment(at)) at = this.#endOfLine(at);
      else break;
    }
    this.#at = at;
  }

  /** True if a newline that is no line continuation was read since a position. */
  #endsLine(before: number): boolean {
    return this.#at > before && holdsNewline(this.source.slice(before, this.#at));
  }

  #beginsComment(at: number): boolean {
    return at === this.start || BEFORE_COMMENT.test(this.source.charAt(at - 1));
  }

  #endOfLine(at: number): number {
    const newline = this.source.indexOf('\n', at);
    return newline < 0 || newline > this.end ? this.end : newline;
  }
}

/** True for a newline that no backslash takes away. */
export const holdsNewline = (text: string): boolean =>
  text.includes('\n') && text.replaceAll('\\\n', '').includes('\n');
