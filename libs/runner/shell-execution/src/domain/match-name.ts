import { ownMember } from '#lib/canonical';
import type { Atom } from './field.js';

const ANY = Symbol('any character');
const MANY = Symbol('any number of characters');
/** One step of a pattern for a name: a character, any one, any number of any, or a set. */
type Step = string | typeof ANY | typeof MANY | CharacterSet;
interface CharacterSet {
  readonly negated: boolean;
  readonly has: (character: string) => boolean;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[\p{Alphabetic}\p{Nd}]/u,
  alpha: /\p{Alphabetic}/u,
  blank: /[\p{Zs}\t]/u,
  digit: /[0-9]/,
  lower: /\p{Lowercase}/u,
  punct: /[\p{P}\p{S}]/u,
  space: /\s/u,
  upper: /\p{Uppercase}/u,
  xdigit: /[0-9A-Fa-f]/,
};

/** A test for names, of the part of a pattern between two slashes. A leading dot is only matched by a dot (bash, POSIX 2.14.3). */
export function nameMatcher(atoms: readonly Atom[]): (name: string) => boolean {
  const steps = atoms.flatMap(stepsOf);
  const dotted = steps[0] === '.';
  return (name) => {
    if (name === '.' || name === '..' || (name.startsWith('.') && !dotted)) return false;
    return matches(steps, Array.from(name));
  };
}

function stepsOf({ type, text }: Atom): Step[] {
  if (type === 'text') return Array.from(text);
  if (text === '*') return [MANY];
  return text === '?' ? [ANY] : [setOf(text)];
}

/** Linear in name times pattern: at a mismatch, only the last `*` takes one character more. */
function matches(steps: readonly Step[], name: readonly string[]): boolean {
  let [at, step, star, taken] = [0, 0, -1, 0];
  while (at < name.length) {
    const current = steps[step];
    if (current === MANY) {
      [star, taken] = [step, at];
      step += 1;
    } else if (current !== undefined && accepts(current, name[at] ?? '')) {
      at += 1;
      step += 1;
    } else if (star >= 0) {
      taken += 1;
      [at, step] = [taken, star + 1];
    } else {
      return false;
    }
  }
  return steps.slice(step).every((rest) => rest === MANY);
}

function accepts(step: Step, character: string): boolean {
  if (step === ANY) return true;
  if (typeof step === 'string') return step === character;
  return step !== MANY && step.has(character) !== step.negated;
}

/** A set as `BRACKET_PATTERN` allows it. Ranges are those of code points (bash's globasciiranges). */
function setOf(pattern: string): CharacterSet {
  const negated = /^\[[!^]/.test(pattern);
  const inner = pattern.slice(negated ? 2 : 1, -1);
  const tests: ((character: string) => boolean)[] = [];
  for (const [item, className, from, to] of inner.matchAll(/\[:([a-z]+):\]|([\s\S])-([\s\S])|[\s\S]/gu)) {
    const known = className === undefined ? undefined : ownMember(CLASSES, className);
    if (known !== undefined) tests.push((character) => known.test(character));
    else if (from !== undefined && to !== undefined) tests.push((character) => inRange(character, from, to));
    else tests.push((character) => character === item);
  }
  return { negated, has: (character) => tests.some((test) => test(character)) };
}

const inRange = (character: string, from: string, to: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return code >= (from.codePointAt(0) ?? 0) && code <= (to.codePointAt(0) ?? 0);
};
