import { ENDS, ENVIRONMENTS, OBJECTS, PLACES, REASONS, ROLES, SERVICES, TOOLS, VERBS } from './judged-words.js';
import type { InventedPrecedent } from './precedent-rows.js';

/** A query with its known answers, the ids of precedents. */
export interface JudgedQuery {
  readonly text: string;
  readonly tools: readonly string[];
  readonly environment: string | null;
  readonly argumentKeys: readonly string[];
  readonly targets: readonly string[];
  readonly answers: readonly string[];
}

export type JudgedClass =
  | 'words'
  | 'ids and hosts'
  | 'typing errors'
  | 'structure'
  | 'mixed'
  | 'agents'
  | 'bad outcomes';

export interface JudgedSet {
  readonly precedents: readonly (InventedPrecedent & { readonly id: string })[];
  /** Agents ask those of the class `agents`, as {@link JUDGED_AGENT}; people ask the others. */
  readonly queries: Readonly<Record<JudgedClass, readonly JudgedQuery[]>>;
}

const AGENTS = ['a', 'b', 'c'].map((letter) => `01900000-0000-7000-9000-00000000000${letter}`);
/** The agent that asks. */
export const JUDGED_AGENT = AGENTS[0] ?? '';

/** Queries are about these; the others only distract. */
const ASKED_ABOUT = 300;
const DISTRACTING = 1_100;
const FAMILIES = 12;
const GOOD_ONES = 10;

/** The generator of Park and Miller (CACM 1988), so that each run judges the same set. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Transposes two letters within a word. */
const misspelt = (word: string): string => {
  const at = Math.floor(word.length / 2);
  return `${word.slice(0, at - 1)}${word[at] ?? ''}${word[at - 1] ?? ''}${word.slice(at + 1)}`;
};

const idOf = (serial: number): string => `01900000-0000-7000-8000-${String(serial).padStart(12, '0')}`;

/** 1,532 precedents of one tenant, and ten queries or more of each class. */
export function judgedSet(): JudgedSet {
  const below = numbers(20_261_126);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const host = (): string => `${pick(ROLES)}-${String(1 + below(120)).padStart(2, '0')}.${pick(PLACES)}.example`;
  const kindsOf = (kinds: readonly (typeof TOOLS)[number][]) => ({
    tools: [...new Set(kinds.map(({ tool }) => tool))].sort(),
    arguments: [...new Set(kinds.flatMap(({ keys }) => keys))].sort(),
  });
  // The older ones are the bad outcomes. Each has ten newer good ones of its shape, in words nearer to the query.
  const families = Array.from({ length: FAMILIES }, (_, family) => {
    const [kind, service, object] = [pick(TOOLS), pick(SERVICES), pick(OBJECTS)];
    const { tools, arguments: keys } = kindsOf([kind]);
    const shape = { tools, arguments: [...keys, `wave_${String(family)}`].sort(), environment: pick(ENVIRONMENTS) };
    const [verb, bad] = [VERBS[family % VERBS.length] ?? VERBS[0], VERBS[(family + 1) % VERBS.length] ?? VERBS[0]];
    const wave = `wave-${String(family)}`;
    return {
      ...{ shape, text: `${verb[0]} the ${object[0]} of ${service}, ${wave}` },
      bad: {
        ...shape,
        id: idOf(family),
        goal: `${bad[0]} ${object[0]} in ${service}, ${wave}`,
        targets: [host()],
        endedAs: 'rolled_back',
      },
      good: Array.from({ length: GOOD_ONES }, (_one, at) => ({
        ...{ ...shape, id: idOf(10_000 + family * GOOD_ONES + at), endedAs: 'completed' },
        ...{ goal: `${verb[0]} the ${object[0]} of ${service}, ${wave}`, targets: [host(), host()] },
      })),
    };
  });
  const all = Array.from({ length: ASKED_ABOUT + DISTRACTING }, (_, index) => {
    const [verb, object, service, reason] = [pick(VERBS), pick(OBJECTS), pick(SERVICES), pick(REASONS)];
    const ticket = `${pick(['OPS', 'SEC', 'NET'])}-${String(1_000 + below(8_000))}`;
    return {
      ...{ verb, object, service, reason, ticket },
      ...kindsOf(Array.from({ length: 1 + below(3) }, () => pick(TOOLS))),
      id: idOf(100 + index),
      agentId: AGENTS[index % AGENTS.length] ?? JUDGED_AGENT,
      goal: `${verb[0]} the ${object[0]} of ${service} ${reason[0]}`,
      said: `See ${ticket}. ${pick(['Fine by me', 'Watch the error rate', 'Only after lunch', 'The canary looked healthy'])}. ${pick(['Next time', 'Not', 'Compare'])} ${pick(TOOLS).tool} in ${pick(ENVIRONMENTS)}`,
      environment: pick(ENVIRONMENTS),
      targets: [...new Set(Array.from({ length: 1 + below(6) }, host))],
      endedAs: pick(ENDS),
    };
  });
  type One = (typeof all)[number];
  const idsOf = (wanted: (one: One) => boolean): readonly string[] => all.filter(wanted).map(({ id }) => id);
  const query = (asked: Partial<JudgedQuery>, answers: readonly string[]): JudgedQuery => ({
    ...{ text: '', tools: [], environment: null, argumentKeys: [], targets: [], answers },
    ...asked,
  });
  /** Queries about every n-th precedent, if their answers are few. */
  const about = (of: (one: One) => JudgedQuery, every = 11): readonly JudgedQuery[] =>
    all
      .slice(0, ASKED_ABOUT)
      .flatMap((one, index) => (index % every === 3 ? [of(one)] : []))
      .filter(({ answers }) => answers.length <= 5);
  const sameWork = (one: One) => (other: One) =>
    one.verb === other.verb &&
    one.object === other.object &&
    one.service === other.service &&
    one.reason === other.reason;
  const sameShape = (one: One) => (other: One) =>
    one.environment === other.environment &&
    one.tools.join() === other.tools.join() &&
    one.arguments.join() === other.arguments.join();
  return {
    precedents: [...families.map(({ bad }) => bad), ...all, ...families.flatMap(({ good }) => good)],
    queries: {
      words: about((one) =>
        query({ text: `${one.verb[1]} ${one.object[1]} ${one.service} ${one.reason[1]}` }, idsOf(sameWork(one))),
      ),
      'ids and hosts': about((one) => {
        const target = one.targets[0] ?? '';
        return query(
          { text: target },
          idsOf((other) => other.targets.includes(target)),
        );
      }).concat(
        about((one) =>
          query(
            { text: one.ticket },
            idsOf((other) => other.ticket === one.ticket),
          ),
        ),
      ),
      'typing errors': about((one) =>
        query(
          { text: `${one.verb[2]} ${one.object[2]} ${misspelt(one.service)} ${one.reason[1]}` },
          idsOf(sameWork(one)),
        ),
      ),
      structure: about((one) => {
        const { tools, environment, arguments: argumentKeys } = one;
        return query({ tools, environment, argumentKeys }, idsOf(sameShape(one)));
      }, 5),
      mixed: about((one) => {
        const { tools, environment, arguments: argumentKeys } = one;
        return query(
          { text: `${misspelt(one.object[0])} ${one.service}`, tools, environment, argumentKeys },
          idsOf((other) => other.object === one.object && other.service === one.service && sameShape(one)(other)),
        );
      }),
      // Every 12th is one of the agent's own.
      agents: about(
        (one) =>
          query(
            { text: `${one.verb[1]} ${one.object[2]} ${one.service} ${one.reason[1]}` },
            idsOf((other) => sameWork(one)(other) && other.agentId === JUDGED_AGENT),
          ),
        12,
      ),
      // Half of the queries leave the arguments open, so that no line about the past names the bad one.
      'bad outcomes': families.map(({ shape, text, bad }, family) => {
        const argumentKeys = family % 2 === 0 ? shape.arguments : [];
        return query({ text, tools: shape.tools, environment: shape.environment, argumentKeys }, [bad.id]);
      }),
    },
  };
}
