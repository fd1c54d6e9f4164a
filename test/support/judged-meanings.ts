import type { InventedPrecedent } from './precedent-rows.js';

/** Three groups of words of one meaning each; a goal and its question share the meanings, and no word. */
const VERBS = [
  ['Replacing', 'swap'],
  ['Restarting', 'bounce'],
  ['Extend', 'enlarge'],
  ['Rotating', 'refresh'],
  ['Blocking', 'forbid'],
  ['Draining', 'evacuate'],
  ['Revert', 'undo'],
] as const;
const OBJECTS = [
  ['certificates', 'x509'],
  ['servers', 'machine'],
  ['volume', 'disk'],
  ['passwords', 'login'],
  ['customers', 'visitor'],
  ['queues', 'backlog'],
  ['databases', 'postgres'],
] as const;
const FILLER = [
  'after the audit found a gap',
  'before the weekend',
  'since alerts fired all night',
  'with the vendor on the phone',
  'as agreed on Tuesday',
] as const;

export interface JudgedMeaning {
  readonly text: string;
  readonly answers: readonly string[];
}

/** 294 precedents, and a question about every seventh that shares the meaning of its words, and none of the words. */
export function judgedMeanings(): {
  readonly precedents: readonly (InventedPrecedent & { readonly id: string })[];
  readonly queries: readonly JudgedMeaning[];
} {
  const all = VERBS.flatMap((verb) =>
    OBJECTS.flatMap((object) => OBJECTS.filter((of) => of !== object).map((of) => ({ verb, object, of }))),
  ).map((one, index) => ({
    ...one,
    id: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    goal: `${one.verb[0]} ${one.object[0]} of ${one.of[0]} ${FILLER[index % FILLER.length] ?? ''}`,
    // The structure says nothing.
    ...{ tools: ['run_playbook'], environment: 'production', arguments: ['playbook'], targets: [] },
  }));
  /** The embedder of tests knows no order of words. */
  const meansTheSame = (one: (typeof all)[number]) => (other: (typeof all)[number]) =>
    one.verb === other.verb &&
    [other.object, other.of].includes(one.object) &&
    [other.object, other.of].includes(one.of);
  return {
    precedents: all,
    queries: all
      .filter((_, index) => index % 7 === 3)
      .map((one) => ({
        text: `${one.verb[1]} the ${one.of[1]} ${one.object[1]}`,
        answers: all.filter(meansTheSame(one)).map(({ id }) => id),
      })),
  };
}
