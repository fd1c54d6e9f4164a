import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { planView } from '../../apps/api/src/plan/plan-views.js';
import { requestDetailView } from '../../apps/api/src/approval/approval-views.js';
import { FakeRunWorld } from '../../libs/stages/run/src/fake-run-world.js';
import { healthCheck, newHost, phase, step, undo } from '../../libs/stages/run/src/fake-run-documents.js';
import { requestContent } from '../../libs/reach/delivery/src/domain/request-content.js';
import { requestMessage } from '../../libs/reach/delivery/src/domain/request-message.js';
import { renderMail } from '../../libs/reach/delivery/src/channels/mail/render-mail.js';
import { anotherValue, changedMember, schemaMembers } from '../support/schema-members.js';
import { expandedPlanSchema, planDocumentSchema, planWords, type ExpandedPlan, type PlanDocument } from '#lib/formats';
import { callsOf, diffPlans, planFacts, type Plan } from '#lib/plan';

/** Fields that only this test has: words of the agent about the plan, a phase and a step. */
jest.mock('../../libs/foundation/formats/src/plan-document.js', () => {
  const real = jest.requireActual<typeof import('../../libs/foundation/formats/src/plan-document.js')>(
    '../../libs/foundation/formats/src/plan-document.js',
  );
  const { agentWordsOf, agentWordsSchema: words } = jest.requireActual<
    typeof import('../../libs/foundation/formats/src/agent-words.js')
  >('../../libs/foundation/formats/src/agent-words.js');
  const field = (heading: string) => words(200, heading, 'A field of this test.').optional();
  const steps = real.planPhaseSchema.shape.steps.element.extend({ hint: field('hint') }).array();
  const planPhaseSchema = real.planPhaseSchema.extend({ reason: field('reason'), steps });
  const extended = real.planDocumentSchema.extend({ motive: field('motive'), phases: planPhaseSchema.array() });
  return { ...real, planPhaseSchema, planDocumentSchema: extended, planWords: agentWordsOf(extended) };
});

/** A plan with the texts of these fields. */
const spoken = (motive: string, reason: string, hint: string): PlanDocument =>
  planDocumentSchema.parse({
    summary: 'in short',
    motive,
    phases: [{ name: 'first', targets: [newHost()], reason, steps: [{ ...step('a'), hint }] }],
  });

let world: FakeRunWorld;
beforeAll(async () => {
  world = await FakeRunWorld.open();
});

async function submitted(document: PlanDocument): Promise<Plan> {
  const id = await world.plan(document);
  const plan = await world.tx((tx) => world.plans.find(tx, id));
  if (plan === null) throw new Error('the plan was not kept');
  return plan;
}

describe("a new plan field of the agent's words, which only the schema of the plan names", () => {
  const WORDS = ['in short', 'first, a, hint: slowly', 'first, reason: the canary', 'motive: for speed'];
  const read = (): Promise<Plan> => submitted(spoken('for speed', 'the canary', 'slowly'));

  it('is stored without secrets', async () => {
    const secret = `cs_p_${'a'.repeat(40)}`;
    const { document } = await submitted(spoken(secret, `use ${secret}`, 'password=hunter2'));
    expect(planWords.read(document)).toEqual([
      'in short',
      'first, a, hint: password=[masked]',
      'first, reason: use [masked]',
      'motive: [masked]',
    ]);
  });

  it('is compared between revisions, and named as words of the agent', () => {
    const [before, after] = [spoken('a', 'b', 'c'), spoken('x', 'y', 'z')];
    after.phases[0]?.targets.splice(0, 1, ...(before.phases[0]?.targets ?? []));
    const sides = (document: PlanDocument) => ({ document, expanded: null });
    expect(diffPlans(sides(before), sides(after)).inWords.map((change) => Object.values(change).join(' | '))).toEqual([
      ' | the agent\'s words, motive | "a" | "x"',
      'first | the agent\'s words, reason | "b" | "y"',
      'first | the agent\'s words, hint | "c" | "z"',
    ]);
  });

  it('is answered with a plan as words of the agent', async () => {
    const plan = await read();
    expect(planView({ plan, status: 'validated', decision: null, description: null }, null).words).toEqual(WORDS);
  });

  it('is shown with a request, in answers and messages, as words of the agent', async () => {
    const plan = await read();
    const subject = await world.tx((tx) => world.subjects.read(tx, plan.id));
    const detail = { ...DETAIL, subject } as unknown as Parameters<typeof requestDetailView>[0];
    expect(requestDetailView(detail, null, null)).toMatchObject({ said_by_the_requester: { words: WORDS } });
    const message = requestMessage(detail, {
      requesterName: 'drift-bot',
      onBehalfOfName: null,
      earlierApprovals: [],
      past: null,
      run: null,
    });
    const { text } = renderMail(requestContent(message, 'https://countersign.example'));
    const [, unverified = ''] = text.split('not verified');
    for (const words of WORDS) expect(unverified).toContain(words);
  });

  it('changes nothing of the calls', async () => {
    const document = spoken('a', 'b', 'c');
    const other = { ...spoken('x', 'y', 'z'), summary: 'at length' };
    other.phases[0]?.targets.splice(0, 1, ...(document.phases[0]?.targets ?? []));
    const [one, two] = [await submitted(document), await submitted(other)];
    expect(two.expansion?.plan.phases).toEqual(one.expansion?.plan.phases);
  });
});

/** An open request without its subject and without a review. */
const DETAIL = {
  claim: null,
  escalation: null,
  waysToAVote: null,
  wayOut: null,
  request: {
    id: 'request',
    subject: { type: 'plan', id: 'plan', simulationId: null, phases: 'all' },
    binding: { subject: { digest: '' } },
    state: 'open',
    start: { kind: 'manual' },
    requester: { kind: 'agent', id: 'agent', onBehalfOf: null },
    decision: { outcome: 'require_approval', reasons: [], obligations: { approvals: [], mfa: false } },
    excluded: [],
    openedAt: 0,
    expiresAt: 0,
    startAfter: null,
  },
  quorum: { complete: false, filled: [], open: [] },
  people: new Map(),
  reviews: [],
  changesAsked: [],
  changedSinceOpened: [],
  changesSinceMyReview: null,
  mayReview: { outcome: 'allow', reasons: [] },
  sharesVoteWith: [],
  replaces: null,
  replacedBy: null,
};

/** The plan as if each call and each undo executed a command line, and named paths. */
function withLines(plan: ExpandedPlan): ExpandedPlan {
  const copy = structuredClone(plan);
  for (const { invocation, compensate_with: undo } of callsOf(copy))
    for (const each of undo === null ? [invocation] : [invocation, undo]) {
      each.shell = {
        argument: '/command',
        shell: 'bash',
        tier: 2,
        class: 'WRITE',
        risk: 'state_change_prod',
        tree: `sha256:${'0'.repeat(64)}`,
      };
      each.paths = { reads: ['/from'], writes: ['/to'], tier: 2, class: 'WRITE', risk: 'state_change_prod' };
    }
  return copy;
}

const pointerOf = (path: string): string => `/${path.replaceAll('.', '/')}`;

describe('a plan field', () => {
  /** Text without a pattern that decides something, each with its meaning. */
  const PARSED = ['phases.0.rollback_if'];

  const isFreeText = (schema: z.core.$ZodType): boolean => {
    if (!(schema instanceof z.ZodString)) return false;
    const { pattern, format, enum: words } = z.toJSONSchema(schema);
    return pattern === undefined && format === undefined && words === undefined;
  };
  const freeText = (schema: z.ZodType): string[] =>
    schemaMembers(schema)
      .filter((member) => isFreeText(member.schema) && planWords.headingAt(pointerOf(member.path)) === undefined)
      .map(({ path }) => path);

  it('of free text has the schema of words of an agent, unless Countersign parses it', () => {
    expect(freeText(planDocumentSchema)).toEqual(PARSED);
    expect(freeText(planDocumentSchema.extend({ unmarked: z.string().max(80) }))).toEqual([...PARSED, 'unmarked']);
    expect(planWords.headingAt('/motive')).toBe('motive');
  });

  const target = newHost();
  const full = (): PlanDocument => ({
    summary: 's',
    phases: [
      phase('first', [target, newHost()], [step('a', { compensate_with: undo })], {
        batch_percent: 99.5,
        rollback_if: 'web.error_rate > 0.25',
        health_checks: [healthCheck],
      }),
    ],
  });
  const decides = schemaMembers(planDocumentSchema)
    .map(({ path }) => path)
    .filter((path) => planWords.headingAt(pointerOf(path)) === undefined);

  it.each(decides)('that decides something reaches the expanded plan or is refused: %s', async (member) => {
    const document = full();
    const another = (value: unknown): unknown =>
      member.endsWith('rollback_if') ? 'web.error_rate > 0.5' : anotherValue(value);
    const expanded = async (each: PlanDocument): Promise<unknown> => {
      const { expansion } = await submitted(each);
      return { ...expansion?.plan, task_id: 'task' };
    };
    const changed = changedMember(document, member, another);
    expect(await expanded(changed).catch((error: unknown) => (error as Error).message)).not.toEqual(
      await expanded(document),
    );
  });
});

describe("a member of the calls in a policy's input", () => {
  /** Members that policies do not get, each with the fact that they get instead. The digest of the plan covers them all. */
  const NOT_AN_INPUT: ReadonlyMap<string, string> = new Map([
    ['format', 'it is the only one there is'],
    ['task_id', 'the facts of the task'],
    ['revision', 'the digest of the plan'],
    ['environment.id', 'the facts of the environment'],
    ['environment.name', 'the facts of the environment'],
    ['environment.digest', 'the facts of the environment'],
    ['distinct_targets.0', 'the targets of the calls'],
    ['wait_seconds', 'no rule is about waits'],
    ['batches.0.targets.0', 'the targets of the calls'],
    ['step_id', 'the number of the call'],
    ['on_failure', 'no rule is about failures'],
    ['health_checks.0.name', 'the tool of the check'],
    ['health_checks.0.invocation.targets.0', 'the tool of the check, which only reads'],
    ['health_checks.0.invocation.shell.tier', 'the tool of the check, which takes no command line'],
    ['health_checks.0.invocation.shell.class', 'the tool of the check, which takes no command line'],
    ['tool.digest', 'the name and version of the tool'],
    ['executor.name', 'the facts of the tool'],
    ['executor.digest', 'the facts of the tool'],
    ['arguments', 'the targets of the call'],
    ['arguments_digest', 'the targets of the call'],
    ['shell.argument', 'the verdict on the line'],
    ['shell.shell', 'the verdict on the line'],
    ['shell.risk', 'its tier, and the facts of the environment'],
    ['shell.tree', 'the digest of the plan'],
    ['health_checks.0.invocation.paths.tier', 'a check of paths that are not ordinary is refused'],
    ['health_checks.0.invocation.paths.class', 'a check of paths that are not ordinary is refused'],
    ['paths.reads.0', 'the verdict on the paths'],
    ['paths.writes.0', 'the verdict on the paths'],
    ['paths.risk', 'the verdict on the paths, and the facts of the tool and the environment'],
  ]);
  const members = schemaMembers(expandedPlanSchema).map(({ path }) => path);
  const isInput = (member: string): boolean =>
    ![...NOT_AN_INPUT.keys()].some((end) => `.${member}`.endsWith(`.${end}`));

  it('is listed with the fact that policies get instead, if they do not get it', () => {
    for (const end of NOT_AN_INPUT.keys())
      expect(members.filter((member) => `.${member}`.endsWith(`.${end}`))).not.toEqual([]);
  });

  it.each(members.filter(isInput))('is a fact: %s', async (member) => {
    const plan = await submitted({
      phases: [
        phase('first', [newHost()], [step('a', { compensate_with: undo })], {
          rollback_if: 'web.error_rate > 0.25',
          health_checks: [healthCheck],
        }),
      ],
    });
    if (plan.expansion === null) throw new Error('the plan was not expanded');
    const { digest } = plan.expansion;
    const expanded = withLines(plan.expansion.plan);
    const tools = await world.tx((tx) => world.tools.resolveMany(tx, ['deploy', 'undeploy', 'check']));
    const another = (value: unknown): unknown => (member.endsWith('rollback_if') ? null : anotherValue(value));
    const facts = (of: typeof expanded): unknown => planFacts({ id: plan.id, digest, expanded: of }, tools.values());
    const changed = (): unknown => {
      try {
        return facts(changedMember(expanded, member, another));
      } catch (error) {
        return error;
      }
    };
    const same = isDeepStrictEqual(changed(), facts(expanded));
    const place = 'libs/stages/plan/src/domain/plan-facts.ts, nor NOT_AN_INPUT of this test,';
    expect(same ? `Neither ${place} has ${member}` : null).toBeNull();
  });
});
