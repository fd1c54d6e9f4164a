import type { Precedent, Structure } from './precedent.js';
import type { SharedWords } from './shared-words.js';

/** The reasons for a hit: equal parts and different parts, a few words each. */
export interface Explanation {
  readonly equal: readonly string[];
  readonly different: readonly string[];
}

const SHOWN = 5;

/** The structure and the words of a question. */
export interface Asked extends Structure {
  readonly text: string;
  /** Of the text, the words that say what for; the rest repeats the structure. */
  readonly goal?: string;
}

const wordsOf = (text: string): readonly string[] =>
  text.split(/\s+/).map((word) => word.replaceAll(/^[.,:;!?()"'`]+|[.,:;!?()"'`]+$/g, ''));

/** The targets that the question names, in its structure or as a word of its text. */
export function namedTargets({ targets, text }: Asked, among: readonly string[]): readonly string[] {
  const named = new Set([...targets, ...wordsOf(text)].map((name) => name.toLowerCase()));
  return among.filter((target) => named.has(target.toLowerCase()));
}

/**
 * @param asked the question; parts that it leaves open are not compared.
 * @param shared the words of the question that the precedent has too, and those that it spells alike.
 */
export function explainHit(asked: Asked, found: Precedent, shared: SharedWords): Explanation {
  const equal: string[] = [];
  const different: string[] = [];
  const compare = (one: string, many: string, here: readonly string[], there: readonly string[]): void => {
    if (here.length === 0) return;
    const shared = here.filter((each) => there.includes(each));
    const lacking = here.filter((each) => !there.includes(each));
    const added = there.filter((each) => !here.includes(each));
    const names = (list: readonly string[]): string => `${list.length === 1 ? one : many} ${listed(list)}`;
    if (shared.length > 0)
      equal.push(`${shared.length === here.length && added.length === 0 ? 'the same ' : ''}${names(shared)}`);
    if (lacking.length > 0) different.push(`without ${names(lacking)}`);
    if (added.length > 0) different.push(`with ${names(added)}`);
  };
  if (hasShape(asked, found)) {
    equal.push('the same tools, environment and arguments');
  } else {
    compare('tool', 'tools', asked.tools, found.tools);
    if (asked.environment !== null) {
      if (asked.environment === found.environment) equal.push(`the same environment ${found.environment}`);
      else different.push(`in ${found.environment}`);
    }
    compare('argument', 'arguments', asked.argumentKeys, found.argumentKeys);
  }
  const named = namedTargets(asked, found.targets);
  if (asked.targets.length > 0) compareTargets(asked, found, equal, different);
  else if (named.length > 0) equal.push(`the ${named.length === 1 ? 'target' : 'targets'} ${listed(named)}`);
  equal.push(...wordReasons(asked, found, shared, equal.length > 0));
  return { equal, different };
}

/**
 * Names of tools, environments and targets are compared as such, and no words. Of one shape, steps and reasons share words that say
 * nothing more, and their spellings differ by values.
 */
function wordReasons(
  asked: Asked,
  found: Precedent,
  { words, common, similar }: SharedWords,
  explained: boolean,
): readonly string[] {
  const shaped = hasShape(asked, found);
  const compared = new Set(
    [
      ...(shaped ? [found.environment, ...found.tools, ...found.argumentKeys] : []),
      ...(asked.targets.length > 0 ? asked.targets : namedTargets(asked, found.targets)),
    ].map((name) => name.toLowerCase()),
  );
  const meant = shaped && asked.goal !== undefined ? new Set(wordsOf(asked.goal.toLowerCase())) : null;
  const telling = (list: readonly string[]): readonly string[] =>
    list.filter((word) => !compared.has(word) && (meant === null || meant.has(word)));
  const named = (list: readonly string[]): readonly string[] =>
    list.length === 0 ? [] : [`the ${list.length === 1 ? 'word' : 'words'} ${listed(list)}`];
  const alike = shaped ? [] : similar.filter(({ said }) => !compared.has(said));
  const told = [
    ...named(telling(words)),
    ...alike.map((one) => `a spelling similar to ${one.said}: ${listed(one.found)}`),
  ];
  return told.length > 0 || explained ? told : named(telling(common));
}

const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  some.length > 0 && [...new Set(some)].sort().join() === [...others].sort().join();

/** Then the names need not be repeated: the question has them all. */
const hasShape = (asked: Structure, found: Precedent): boolean =>
  asked.environment === found.environment &&
  sameNames(asked.tools, found.tools) &&
  sameNames(asked.argumentKeys, found.argumentKeys);

function compareTargets(asked: Structure, found: Precedent, equal: string[], different: string[]): void {
  const there = new Set(found.targets);
  const shared = asked.targets.filter((target) => there.has(target));
  if (shared.length > 0)
    equal.push(`${String(shared.length)} of ${String(asked.targets.length)} targets: ${listed(shared)}`);
  const others = found.targetCount - shared.length;
  if (others > 0) different.push(`${String(others)} other ${others === 1 ? 'target' : 'targets'}`);
}

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
