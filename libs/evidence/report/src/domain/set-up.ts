import type { SetUpView } from '#lib/api-schemas';

const listed = new Intl.ListFormat('en');

/** An admin who came in. */
export interface AdminFacts {
  readonly name: string;
  readonly factor: boolean;
  /** The number of their vote: admins of one hand have the same. */
  readonly vote: number;
}

/** The contents of a tenant, counted from its rows. */
export interface SetUpFacts {
  readonly admins: readonly AdminFacts[];
  readonly tools: number;
  /** As environment/name. */
  readonly executors: readonly string[];
  readonly succeededCalls: number;
  /** The number of the autonomy revision in force; null without one. */
  readonly autonomyRevision: number | null;
  /** Agents that are not disabled, with whether a token opens for them. */
  readonly agents: readonly { readonly name: string; readonly token: boolean }[];
  /** The workspace; null if none is connected. */
  readonly slackWorkspace: string | null;
  /** Whether a checkpoint went to a destination that the operator named. */
  readonly publishedElsewhere: boolean;
  /** The destinations that break-glass notifies, with whether one of their addresses answers; empty while it is off. */
  readonly breakGlassDestinations: readonly { readonly name: string; readonly answers: boolean }[];
  /** The reason why too few people could approve, by agent; null if nothing in production can be approved at all. */
  readonly shortages: readonly string[] | null;
}

type Step = SetUpView['steps'][number];

/** The checklist of a new tenant: every step is done because of rows, and never because somebody said so. */
export function setUp(facts: SetUpFacts): SetUpView {
  const steps = [
    secondAdmin(facts),
    secondFactor(facts),
    tools(facts),
    executor(facts),
    autonomy(facts),
    agent(facts),
    reviewers(facts),
    ...breakGlass(facts),
    firstCall(facts),
    slack(facts),
    checkpoint(facts),
  ];
  return { steps, complete: steps.every(({ needed, done }) => done || !needed) };
}

function secondAdmin({ admins }: SetUpFacts): Step {
  const votes = new Set(admins.map(({ vote }) => vote)).size;
  const names = admins.map(({ name }) => name);
  const missing =
    admins.length < 2
      ? `${names[0] ?? 'Nobody'} is the only admin. Invite a second person with the role PlatformAdmin. Until then, changes that loosen take effect at once, because nobody else could confirm them.`
      : `${names.join(' and ')} came in by one hand and share one vote. Have them sign in at your issuer, or ask the operator to run countersign bootstrap --person.`;
  return {
    step: 'second_admin',
    title: 'A second admin',
    done: votes >= 2,
    needed: true,
    detail: votes >= 2 ? `${names.join(', ')} confirm each other’s changes.` : missing,
    path: '/settings/people',
    command: 'countersign invite',
  };
}

function secondFactor({ admins }: SetUpFacts): Step {
  const without = admins.filter(({ factor }) => !factor).map(({ name }) => name);
  const done = admins.length > 0 && without.length === 0;
  return {
    step: 'second_factor',
    title: 'A second factor for every admin',
    done,
    needed: true,
    detail: done
      ? 'Every admin can prove who they are with a passkey or a code.'
      : `${listed.format(without)} ${without.length === 1 ? 'has' : 'have'} no passkey and no authenticator app: without one, nobody confirms a change.`,
    path: '/settings/factors',
    command: 'countersign mfa enrol',
  };
}

const tools = ({ tools: count }: SetUpFacts): Step => ({
  step: 'tools',
  title: 'Tools',
  done: count > 0,
  needed: true,
  detail:
    count > 0
      ? `The catalog has ${String(count)} ${count === 1 ? 'tool' : 'tools'}.`
      : 'Plans call tools, and the catalog is empty. Describe yours in YAML.',
  path: '/tools',
  command: 'countersign apply',
});

const executor = ({ executors }: SetUpFacts): Step => ({
  step: 'executor',
  title: 'An executor',
  done: executors.length > 0,
  needed: true,
  detail:
    executors.length > 0
      ? `${executors.slice(0, 5).join(', ')} ${executors.length === 1 ? 'carries' : 'carry'} out tools.`
      : 'No environment has an executor: say where your tool server stands.',
  path: '/settings/environments',
  command: 'countersign executor put',
});

const autonomy = ({ autonomyRevision: revision }: SetUpFacts): Step => ({
  step: 'autonomy',
  title: 'An autonomy document',
  done: revision !== null,
  needed: true,
  detail:
    revision === null
      ? 'Without one, agents may only plan. Say what they may do, and who approves the rest.'
      : `Revision ${String(revision)} is in force.`,
  path: '/autonomy',
  command: 'countersign apply',
});

function agent({ agents }: SetUpFacts): Step {
  const ready = agents.filter(({ token }) => token).map(({ name }) => name);
  const [first] = agents;
  return {
    step: 'agent',
    title: 'An agent with a token',
    done: ready.length > 0,
    needed: true,
    detail:
      ready.length > 0
        ? `${ready.slice(0, 5).join(', ')} can submit plans.`
        : first === undefined
          ? 'Register an agent with the person who answers for it, and make a token for it.'
          : `${first.name} has no token that opens: make one for it.`,
    path: '/settings/agents',
    command: 'countersign agent-register',
  };
}

const reviewers = ({ shortages, agents, autonomyRevision }: SetUpFacts): Step => ({
  step: 'reviewers',
  title: 'People who could approve',
  done: agents.length > 0 && shortages?.length === 0,
  needed: true,
  detail:
    shortages === null
      ? autonomyRevision === null
        ? 'The autonomy document says whose approvals it takes.'
        : 'The autonomy document lets agents only plan in production, so that nothing can be approved there.'
      : agents.length === 0
        ? 'Known once there is an agent: its owner never reviews for it.'
        : (shortages[0] ?? 'Enough people could approve what your agents ask for in production.'),
  path: '/settings/people',
  command: 'countersign invite',
});

/** No step while break-glass is off, or names no destination. */
function breakGlass({ breakGlassDestinations: destinations }: SetUpFacts): readonly Step[] {
  if (destinations.length === 0) return [];
  const silent = destinations.filter(({ answers }) => !answers).map(({ name }) => name);
  return [
    {
      step: 'break_glass',
      title: 'Break-glass that is heard',
      done: silent.length === 0,
      needed: true,
      detail:
        silent.length === 0
          ? `Break-glass tells ${listed.format(destinations.map(({ name }) => name))}, where test messages arrive.`
          : `Break-glass tells ${listed.format(silent)}, and no message arrives there. Correct the addresses, and send them a test message.`,
      path: '/settings/incidents',
      command: 'countersign incident-settings test',
    },
  ];
}

const firstCall = ({ succeededCalls: calls }: SetUpFacts): Step => ({
  step: 'first_call',
  title: 'A first call that succeeded',
  done: calls > 0,
  needed: true,
  detail:
    calls > 0
      ? 'Your tool server answered a call of Countersign.'
      : 'No tool server has carried out a call yet. Submit a task with a plan, and simulate it.',
  path: '/runs',
  command: 'countersign submit plan --simulate',
});

const slack = ({ slackWorkspace: workspace }: SetUpFacts): Step => ({
  step: 'slack',
  title: 'Slack',
  done: workspace !== null,
  needed: false,
  detail:
    workspace === null
      ? 'Reviewers are told in their inbox, by mail and by push. With Slack they also decide there.'
      : `${workspace} is connected.`,
  path: '/settings/slack',
  command: 'countersign slack show',
});

const checkpoint = ({ publishedElsewhere: published }: SetUpFacts): Step => ({
  step: 'checkpoint',
  title: 'The audit log published outside',
  done: published,
  needed: false,
  detail: published
    ? 'Checkpoints leave this server: a rewritten log would be noticed.'
    : 'Checkpoints stay beside the data. The operator sets COUNTERSIGN_CHECKPOINT_DIRECTORY or COUNTERSIGN_CHECKPOINT_URL, and a rewritten log is noticed.',
  path: '/audit',
  command: null,
});
