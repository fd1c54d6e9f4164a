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

export type JudgedClass = 'words' | 'ids and hosts' | 'typing errors' | 'structure' | 'mixed';

export interface JudgedSet {
  readonly precedents: readonly (InventedPrecedent & { readonly id: string })[];
  readonly queries: Readonly<Record<JudgedClass, readonly JudgedQuery[]>>;
}

const TOOLS: readonly { readonly tool: string; readonly keys: readonly string[] }[] = [
  { tool: 'execute_rollout_prod', keys: ['image', 'targets'] },
  { tool: 'restart_service', keys: ['service', 'targets'] },
  { tool: 'restart_service', keys: ['drain', 'service', 'targets'] },
  { tool: 'rotate_secret', keys: ['secret', 'service'] },
  { tool: 'scale_cluster', keys: ['cluster', 'replicas'] },
  { tool: 'update_firewall_rule', keys: ['cidr', 'rule', 'targets'] },
  { tool: 'drain_node', keys: ['grace_seconds', 'targets'] },
  { tool: 'resize_volume', keys: ['size_gb', 'targets', 'volume'] },
  { tool: 'patch_kernel', keys: ['reboot', 'targets'] },
  { tool: 'patch_kernel', keys: ['targets'] },
];
const ENVIRONMENTS = ['production', 'staging', 'production-eu', 'development'];
const SERVICES = [
  'payments',
  'checkout',
  'ledger',
  'search',
  'catalog',
  'gateway',
  'mailer',
  'billing',
  'invoices',
  'sessions',
];
/** The stored form, another form of the same word, and the same word with a typing error. */
const VERBS = [
  ['Replacing', 'replaced', 'relpacing'],
  ['Restarting', 'restarts', 'restrating'],
  ['Patching', 'patched', 'pacthing'],
  ['Draining', 'drained', 'darining'],
  ['Rotating', 'rotated', 'rotaitng'],
  ['Resizing', 'resized', 'reszing'],
] as const;
const OBJECTS = [
  ['certificates', 'certificate', 'certifciates'],
  ['replicas', 'replica', 'repilcas'],
  ['connections', 'connecting', 'conections'],
  ['caches', 'caching', 'cahces'],
  ['credentials', 'credential', 'credentails'],
  ['partitions', 'partitioned', 'partitons'],
  ['listeners', 'listening', 'listenres'],
  ['snapshots', 'snapshot', 'snaphsots'],
] as const;
const REASONS = [
  ['after the renewal failed', 'renewals failing'],
  ['because latency exceeded its budget', 'exceeding latency budgets'],
  ['since the audit demanded it', 'demanded by auditing'],
  ['before the weekend traffic arrives', 'arriving weekend traffic'],
  ['while dashboards were red', 'red dashboard'],
] as const;
const ROLES = ['web', 'db', 'edge', 'queue'];
const PLACES = ['fra', 'ams', 'dub'];
const ENDS = ['completed', 'completed', 'completed', 'rolled_back', 'denied', 'expired'];

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

/** 600 precedents of one tenant, and ten queries or more of each class. */
export function judgedSet(): JudgedSet {
  const below = numbers(20_261_126);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const host = (): string => `${pick(ROLES)}-${String(1 + below(30)).padStart(2, '0')}.${pick(PLACES)}.example`;
  const all = Array.from({ length: 600 }, (_, index) => {
    const [kind, verb, object, service, reason] = [
      pick(TOOLS),
      pick(VERBS),
      pick(OBJECTS),
      pick(SERVICES),
      pick(REASONS),
    ];
    const kinds = below(2) === 0 ? [kind] : [kind, pick(TOOLS)];
    const ticket = `${pick(['OPS', 'SEC', 'NET'])}-${String(1_000 + below(8_000))}`;
    const targets = [...new Set(Array.from({ length: 1 + below(6) }, host))];
    return {
      ...{ kind, verb, object, service, reason, ticket },
      id: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      goal: `${verb[0]} the ${object[0]} of ${service} ${reason[0]}`,
      said: `See ${ticket}. ${pick(['Fine by me', 'Watch the error rate', 'Only after lunch', 'The canary looked healthy'])}. ${pick(['Next time', 'Not', 'Compare'])} ${pick(TOOLS).tool} in ${pick(ENVIRONMENTS)}`,
      tools: [...new Set(kinds.map(({ tool }) => tool))].sort(),
      environment: pick(ENVIRONMENTS),
      arguments: [...new Set(kinds.flatMap(({ keys }) => keys))].sort(),
      targets,
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
  const about = (of: (one: One) => JudgedQuery, every = 23): readonly JudgedQuery[] =>
    all
      .flatMap((one, index) => (index % every === 7 % every ? [of(one)] : []))
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
    precedents: all,
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
      }, 11),
      mixed: about((one) => {
        const { tools, environment, arguments: argumentKeys } = one;
        return query(
          { text: `${misspelt(one.object[0])} ${one.service}`, tools, environment, argumentKeys },
          idsOf((other) => other.object === one.object && other.service === one.service && sameShape(one)(other)),
        );
      }),
    },
  };
}
