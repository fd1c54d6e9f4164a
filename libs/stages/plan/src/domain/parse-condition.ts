import { err, ok, type Result } from '#lib/kernel';
import type { ConditionGrammar } from '#lib/task';
import { COMPARISONS, type Comparison, type Condition } from './condition.js';

/** The mistake in a condition's text, and its position: `position` counts UTF-16 code units from 0. */
export interface ConditionSyntaxError {
  readonly position: number;
  readonly message: string;
}

/** Deepest nesting of parentheses and `not`. */
export const MAX_CONDITION_DEPTH = 32;

type Token =
  | { readonly kind: 'metric'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'comparison'; readonly op: Comparison; readonly at: number }
  | { readonly kind: 'word'; readonly word: 'and' | 'or' | 'not' | '(' | ')'; readonly at: number }
  | { readonly kind: 'end'; readonly at: number };

// Every alternative begins with another character, so that reading is linear in the length of the text.
const token =
  /(?<metric>[a-z][a-z0-9_-]*\.[A-Za-z][A-Za-z0-9_-]*)|(?<word>[a-z][a-z0-9_-]*|[()])|(?<number>-?\d+(?:\.\d+)?)|(?<comparison>[<>]=?|[=!]=)/y;

class SyntaxProblem extends Error {
  constructor(
    readonly position: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Parses the whole grammar of conditions:
 *
 *   condition  = conjunction { "or" conjunction }
 *   conjunction = negation { "and" negation }
 *   negation   = "not" negation | "(" condition ")" | metric comparison number
 *   metric     = check "." name        comparison = ">" | ">=" | "<" | "<=" | "==" | "!="
 *
 * Nothing else: no names but metrics, no arithmetic, no calls. Time and depth are bounded by the text's length and by
 * {@link MAX_CONDITION_DEPTH}.
 */
export function parseCondition(text: string): Result<Condition, ConditionSyntaxError> {
  try {
    const reader = new Reader(tokensOf(text));
    const condition = reader.condition(0);
    reader.expectEnd();
    return ok(condition);
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem;
    return err({ position: problem.position, message: problem.message });
  }
}

/** The grammar as earlier stages see it. */
export const conditionGrammar: ConditionGrammar = {
  problemOf(text) {
    const parsed = parseCondition(text);
    return parsed.ok ? null : parsed.error;
  },
};

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n') at += 1;
    if (at >= text.length) return [...tokens, { kind: 'end', at }];
    token.lastIndex = at;
    const found = token.exec(text)?.groups;
    if (found === undefined)
      throw new SyntaxProblem(
        at,
        `"${String.fromCodePoint(text.codePointAt(at) ?? 0)}" does not belong in a condition`,
      );
    tokens.push(tokenOf(found, at));
    at = token.lastIndex;
  }
}

function tokenOf(found: Readonly<Record<string, string | undefined>>, at: number): Token {
  if (found.metric !== undefined) return { kind: 'metric', text: found.metric, at };
  if (found.number !== undefined) return { kind: 'number', value: exactNumber(found.number, at), at };
  const comparison = COMPARISONS.find((op) => op === found.comparison);
  if (comparison !== undefined) return { kind: 'comparison', op: comparison, at };
  const word = found.word;
  if (word === 'and' || word === 'or' || word === 'not' || word === '(' || word === ')')
    return { kind: 'word', word, at };
  throw new SyntaxProblem(at, `"${word ?? ''}" is not a metric: write <check>.<metric>, for example web.error_rate`);
}

function exactNumber(text: string, at: number): number {
  const value = Number(text);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new SyntaxProblem(at, 'the number is beyond 2^53');
  if (value !== 0) return value;
  if (/[1-9]/.test(text)) throw new SyntaxProblem(at, 'the number is too close to zero');
  return 0;
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  condition(depth: number): Condition {
    let left = this.#conjunction(depth);
    while (this.#take('or')) left = { kind: 'or', left, right: this.#conjunction(depth) };
    return left;
  }

  expectEnd(): void {
    const rest = this.#peek();
    if (rest.kind !== 'end') throw new SyntaxProblem(rest.at, 'expected "and", "or" or the end');
  }

  #conjunction(depth: number): Condition {
    let left = this.#negation(depth);
    while (this.#take('and')) left = { kind: 'and', left, right: this.#negation(depth) };
    return left;
  }

  #negation(depth: number): Condition {
    const start = this.#peek();
    if (depth > MAX_CONDITION_DEPTH) {
      throw new SyntaxProblem(start.at, `nested more than ${String(MAX_CONDITION_DEPTH)} levels deep`);
    }
    if (this.#take('not')) return { kind: 'not', operand: this.#negation(depth + 1) };
    if (this.#take('(')) {
      const inner = this.condition(depth + 1);
      if (!this.#take(')')) throw new SyntaxProblem(this.#peek().at, 'expected ")"');
      return inner;
    }
    return this.#comparison();
  }

  #comparison(): Condition {
    const metric = this.#shift();
    if (metric.kind !== 'metric')
      throw new SyntaxProblem(metric.at, 'expected a metric such as web.error_rate, "not" or "("');
    const comparison = this.#shift();
    if (comparison.kind !== 'comparison')
      throw new SyntaxProblem(comparison.at, `expected one of ${COMPARISONS.join(' ')}`);
    const value = this.#shift();
    if (value.kind !== 'number') throw new SyntaxProblem(value.at, 'expected a number such as 0.05');
    return { kind: 'compare', metric: metric.text, op: comparison.op, value: value.value };
  }

  #take(word: 'and' | 'or' | 'not' | '(' | ')'): boolean {
    const token = this.#peek();
    if (token.kind !== 'word' || token.word !== word) return false;
    this.#next += 1;
    return true;
  }

  #shift(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #peek(): Token {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new Error('a token list without its end');
    return token;
  }
}
