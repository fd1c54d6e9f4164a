import { endOf, expansionFrom } from './expansions.js';
import type { Argument } from './inspection.js';
import { literal } from './read-word.js';
import { isSetByShell } from './set-by-shell.js';

/** A value that the line gives a variable. */
export interface Stored {
  readonly name: string;
  readonly value: Argument;
  /** True if the line does not show it: it comes out of data, or is added to another one. */
  readonly given: boolean;
}

/** Plain text and plain expansions, in double quotes or not. */
const PUT_TOGETHER = /^("?)(?:[\w./-]|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})+\1$/;

/** The values, with those spelled out that only put together others which the line shows: `f=src/x; g=$f.ts`. */
export function spelledOut(given: readonly Stored[]): readonly Stored[] {
  const joined = given.filter(isPutTogether);
  if (joined.length === 0) return given;
  const byName = groupedByName(given);
  let left = MAX_SPELLED;
  for (const each of joined) {
    const { name, value } = each;
    const texts = textsOf(value.text.replaceAll('"', ''), byName);
    if (texts === null || texts.length > left) continue;
    left -= texts.length;
    const spelled = texts.map((text) => ({ ...each, value: literal(value.text, text, value.start, value.end) }));
    const beside = byName.get(name) ?? [];
    byName.set(
      name,
      beside.flatMap((other) => (other === each ? spelled : [other])),
    );
  }
  return [...byName.values()].flat();
}

/** The most values of a line that are spelled out; the others stay unshown. Each may be put together from all those before it. */
const MAX_SPELLED = 256;

const isPutTogether = ({ given, value }: Stored): boolean =>
  !given && value.value === null && PUT_TOGETHER.test(value.text);

function groupedByName(stored: readonly Stored[]): Map<string, readonly Stored[]> {
  const byName = new Map<string, Stored[]>();
  for (const each of stored) {
    const before = byName.get(each.name);
    if (before === undefined) byName.set(each.name, [each]);
    else before.push(each);
  }
  return byName;
}

/** The texts that plain expansions of the line's own variables come to. Null if the line does not show them all. */
function textsOf(text: string, byName: ReadonlyMap<string, readonly Stored[]>): readonly string[] | null {
  let texts: readonly string[] = [''];
  let from = 0;
  for (let match = expansionFrom(text, 0); match !== null; match = expansionFrom(text, endOf(match))) {
    const { 1: plain, 3: braced, index } = match;
    const name = plain ?? braced ?? '';
    const values = byName.get(name);
    if (values === undefined || isSetByShell(name)) return null;
    // Before they are joined: each may have hundreds of values.
    if (texts.length * values.length > MAX_TEXTS) return null;
    if (values.some((each) => each.given || each.value.value === null)) return null;
    texts = joinEach(
      texts,
      text.slice(from, index),
      values.map(({ value }) => value),
    );
    from = endOf(match) + (plain === undefined ? 1 : 0);
  }
  return texts.map((each) => each + text.slice(from));
}

/** More combinations of values than this count as unknown. */
export const MAX_TEXTS = 64;

/** Each text with one of the values behind it. If the line does not show them all, any text stands behind it. */
export function joinEach(texts: readonly string[], between: string, values: readonly Argument[]): readonly string[] {
  const joined: string[] = [];
  for (const text of texts) {
    let shown = 0;
    for (const { value } of values) {
      if (value === null) continue;
      joined.push(text + between + value);
      shown += 1;
    }
    if (shown === 0 || shown < values.length) joined.push(`${text}${between}**`);
  }
  return joined;
}
