import {
  APPROVAL_SECONDS,
  CALLS_PER_HOUR,
  CALLS_PER_SESSION,
  CALLS_PER_TURN,
  MAX_CALLS_PER_SESSION,
  SESSIONS_PER_AGENT,
  type AutonomyDocument,
} from '#lib/formats';
import type { AutonomyFacts } from '#lib/policy-inputs';

/** A cell that newly lets something pass. */
interface LoosenedCell {
  readonly tool: string;
  readonly environment: string;
  readonly what: readonly string[];
}

/** How many tools of one kind of change are named. */
const NAMED_TOOLS = 5;

/** In words: one line for equal changes of an environment, with their tools. */
export function cellsInWords(cells: readonly LoosenedCell[]): readonly string[] {
  const alike = new Map<string, { readonly cell: LoosenedCell; readonly tools: string[] }>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.environment, cell.what]);
    const found = alike.get(key);
    if (found === undefined) alike.set(key, { cell, tools: [cell.tool] });
    else found.tools.push(cell.tool);
  }
  return [...alike.values()].map(({ cell, tools }) => {
    const more = tools.length > NAMED_TOOLS ? ` and ${String(tools.length - NAMED_TOOLS)} more tools` : '';
    const what = cell.what.length === 0 ? 'more passes than before' : cell.what.join('; ');
    return `${cell.environment}, ${tools.slice(0, NAMED_TOOLS).join(', ')}${more}: ${what}`;
  });
}

/** The loosening beyond the cells of the matrix, in words: break-glass, batches, the life of a simulation, budgets of calls. */
export function loosenedBeyondCells(before: AutonomyDocument | null, after: AutonomyDocument): readonly string[] {
  return [...overrideLoosened(before, after), ...limitsLoosened(before, after), ...budgetsLoosened(before, after)];
}

function overrideLoosened(before: AutonomyDocument | null, after: AutonomyDocument): string[] {
  const [was, is] = [before?.emergency_override, after.emergency_override];
  if (is?.enabled !== true) return [];
  const roles = is.allowed_roles ?? [];
  if (was?.enabled !== true) {
    return [`break-glass is switched on, for ${roles.length === 0 ? 'nobody yet' : roles.join(' and ')}`];
  }
  const had = was.allowed_roles ?? [];
  const notified = is.notifies ?? [];
  return [
    ...roles.filter((role) => !had.includes(role)).map((role) => `${role} may break the glass`),
    ...(was.notifies ?? [])
      .filter((name) => !notified.includes(name))
      .map((name) => `${name} is no longer notified of break-glass`),
  ];
}

/** The defaults: no further limit of batches, and a day for a simulation (policies/simulation). */
const WITHOUT_LIMIT = { max_batch_percent: 100, simulation_valid_minutes: 1_440 };
type Limit = keyof typeof WITHOUT_LIMIT;

const IN_WORDS: Readonly<Record<Limit, string>> = {
  max_batch_percent: 'the largest batch in percent',
  simulation_valid_minutes: 'the minutes a simulation is good for',
};

/** Limits that rise, as they count in each environment and for each tool. */
function limitsLoosened(before: AutonomyDocument | null, after: AutonomyDocument): string[] {
  if (before === null) return [];
  const [was, is] = [before.autonomy, after.autonomy];
  const environments = namesIn(was.environments, is.environments).flatMap((name) =>
    (['max_batch_percent', 'simulation_valid_minutes'] as const).flatMap((limit) =>
      raised(name, limit, inEnvironment(before, name, limit), inEnvironment(after, name, limit)),
    ),
  );
  const tools = namesIn(was.tool_overrides, is.tool_overrides).flatMap((name) =>
    raised(
      name,
      'max_batch_percent',
      was.tool_overrides?.[name]?.max_batch_percent ?? WITHOUT_LIMIT.max_batch_percent,
      is.tool_overrides?.[name]?.max_batch_percent ?? WITHOUT_LIMIT.max_batch_percent,
    ),
  );
  return [...environments, ...tools];
}

/** Each setting that no policy reads, so that no cell shows it: a number that loosens if it rises. */
type Bound = Exclude<keyof AutonomyDocument['autonomy'], keyof AutonomyFacts['autonomy'] | 'calls_per_session'>;
/** In words, and without a word of the document. */
const BOUNDS: Readonly<Record<Bound, readonly [inWords: string, byDefault: number]>> = {
  calls_per_hour: ['the calls of an agent in an hour', CALLS_PER_HOUR],
  calls_per_turn: ['the calls of a turn outside sessions, and at once', CALLS_PER_TURN],
  approval_seconds: ['the seconds that a call outside sessions waits for people', APPROVAL_SECONDS],
  sessions_per_agent: ['the open sessions of an agent', SESSIONS_PER_AGENT],
};

/** Without a document agents call no tool that changes something, so that a first one loosens no budget. */
function budgetsLoosened(before: AutonomyDocument | null, after: AutonomyDocument): string[] {
  if (before === null) return [];
  const [was, is] = [before.autonomy, after.autonomy];
  const inWords = (calls: number | undefined): string => (calls === undefined ? byDefault : String(calls));
  const more = (then: number | undefined, now: number | undefined, without: number): boolean =>
    (now ?? without) > (then ?? without);
  const session = [was.calls_per_session, is.calls_per_session] as const;
  const byDefault = `${String(CALLS_PER_SESSION)}, and more by a person`;
  return [
    // A token opens a session with the default, and a person with the most: either may rise.
    ...(more(...session, CALLS_PER_SESSION) || more(...session, MAX_CALLS_PER_SESSION)
      ? [`the calls of a session: ${inWords(session[0])} becomes ${inWords(session[1])}`]
      : []),
    ...Object.entries(BOUNDS).flatMap(([name, [bound, byDefault]]) => {
      // The names are those of the bounds.
      const [then, now] = [was[name as Bound] ?? byDefault, is[name as Bound] ?? byDefault];
      return now > then ? [`${bound}: ${String(then)} becomes ${String(now)}`] : [];
    }),
  ];
}

const namesIn = (...records: readonly (Readonly<Record<string, unknown>> | undefined)[]): readonly string[] =>
  [...new Set(records.flatMap((record) => Object.keys(record ?? {})))].sort();

/** The environment's value, else the tenant's (policies/effective). */
const inEnvironment = ({ autonomy }: AutonomyDocument, name: string, limit: Limit): number =>
  autonomy.environments?.[name]?.[limit] ?? autonomy[limit] ?? WITHOUT_LIMIT[limit];

const raised = (where: string, limit: Limit, before: number, after: number): string[] =>
  after > before ? [`${where}, ${IN_WORDS[limit]}: ${String(before)} becomes ${String(after)}`] : [];
