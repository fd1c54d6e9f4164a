import { boundDigest, type ApprovalRequest } from '#lib/approval';
import type { JsonObject } from '#lib/canonical';
import type { ConfirmWord, ToolDocument, Verdict } from '#lib/formats';
import type { HaltTarget } from '#lib/halt';
import {
  actorOf,
  type ApprovalRequestId,
  type HeldRole,
  type PersonPrincipal,
  type Principal,
  type Tx,
} from '#lib/kernel';
import { type Session } from '#lib/session';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { definitionText, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleRevision } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { sampleHalt } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import { endedSession, sampleSession } from '../../../session/src/application/fake-session.js';
import { fakeToolCalls } from './fake-tool-calls.js';
import { type ToolCallQuestion } from './submit-tool-call.js';
import { type ToolCallAnswer } from './tool-call-answer.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
      require_approval: true
      allowed_approvers: [SRELead]
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
`;

/** A tool that changes a sandbox, and has nothing to simulate. */
export const LABEL: Partial<ToolDocument> = {
  risk: 'state_change_nonprod',
  effect: 'modify',
  requires_plan: false,
  simulation: 'not_applicable',
  identity_fields: ['/targets'],
};
/** A tool that executes a command line in a sandbox. */
const SHELL: Partial<ToolDocument> = {
  risk: 'state_change_nonprod',
  effect: 'modify',
  idempotent: false,
  surface: 'terminal',
  requires_plan: false,
  simulation: 'not_applicable',
  shell: { argument: '/line', shell: 'bash' },
  parameters: { type: 'object', properties: { line: { type: 'string' } }, additionalProperties: false },
};
/** Tools that read and write a file of one host. An answer about one file holds for every file of the host. */
const FILE: Partial<ToolDocument> = {
  surface: 'workspace',
  parameters: { type: 'object', properties: { host: { type: 'string' }, path: { type: 'string' } } },
  identity_fields: ['/host'],
};
const READ_FILE: Partial<ToolDocument> = { ...FILE, path_arguments: { reads: ['/path'] } };
const WRITE_FILE: Partial<ToolDocument> = { ...LABEL, ...FILE, path_arguments: { writes: ['/path'] } };
export const TARGETS = { targets: ['sandbox-1'] };

const QUESTION: ToolCallQuestion = {
  tool: 'look',
  context: { environment: 'production' },
  arguments: TARGETS,
  clientCallId: null,
  turnId: null,
  reason: null,
};

/**
 * A tenant in memory, under the real policies. Its tool `look` reads, `label` changes a sandbox, `shell` executes a
 * line, and `read-file` and `write-file` name a path. A SRELead approves changes of staging.
 */
export async function fakeGate() {
  const world = fakeWorld();
  const { uow, home, other } = world;
  const running = <By extends Principal>(by: By): By => ({ ...by, scopes: ['read', 'run'] });
  const calling = fakeToolCalls(world);
  const { parts, stores, audit, log, policy, people, requests, approval, sessions, proofs, revoked, noWayBack } =
    calling;
  const { calls, agentPeople } = calling.rows;
  agentPeople.own(home, home.agent.agentId, home.owner.personId);
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const submitted = (by: Principal, question: Partial<ToolCallQuestion>) =>
    parts.submitToolCall.execute(by, { ...QUESTION, ...question });
  const put = (source: string, number: number): Promise<void> =>
    atHome((tx) => stores.revisions.put(tx, sampleRevision(source, { number })));
  const ask = async (
    tool = 'look',
    environment = 'production',
    args: JsonObject = TARGETS,
    by: Principal = running(home.agent),
  ): Promise<ToolCallAnswer> => {
    const answer = await submitted(by, { tool, context: { environment }, arguments: args });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value;
  };
  const request = async (id: ApprovalRequestId | null): Promise<ApprovalRequest> => {
    const found = id === null ? null : await atHome((tx) => requests.find(tx, id));
    if (found === null) throw new Error('nobody is asked');
    return found;
  };
  await atHome(async (tx) => {
    const documents = { look: {}, label: LABEL, shell: SHELL, 'read-file': READ_FILE, 'write-file': WRITE_FILE };
    for (const tool of Object.entries(documents).map(([name, document]) => sampleTool(name, document)))
      await stores.tools.addVersion(tx, tool, definitionText(tool.definition), home.admin.personId, 0);
  });
  await put(AUTONOMY, 1);
  return {
    noWayBack,
    ...{
      home,
      other,
      running,
      uow,
      audit,
      policy,
      put,
      submitted,
      ask,
      request,
      stores,
      subjects: parts.subjects,
      atHome,
      sessions,
      calls,
    },
    /** A person who holds this role since before every request, signed in to a browser. */
    person: (role: string): PersonPrincipal => {
      const person = samplePerson(home.tenantId);
      const held = [{ role, assignedAt: 0 }];
      const names = { displayName: 'A person', nameForAgents: 'A person' };
      people.rows.of(home).set(person.personId, {
        personId: person.personId,
        ...names,
        disabled: false,
        joinedAt: 0,
        roles: held,
        waysIn: [],
      });
      return { ...person, credentialKind: 'browser_session', scopes: ['review'], roles: held };
    },
    /** Changes the standing of a person since then. */
    stands: (
      { personId }: PersonPrincipal,
      members: { readonly disabled?: boolean; readonly roles?: readonly HeldRole[] },
    ) => {
      const person = people.rows.of(home).get(personId);
      if (person === undefined) throw new Error('nobody of this tenant');
      return people.rows.of(home).set(personId, { ...person, ...members });
    },
    signOut: ({ credentialId }: PersonPrincipal) => revoked.add(credentialId),
    opened: async (members: Partial<Session> = {}) => {
      const session = sampleSession(home, { openedAt: uow.now, ...members });
      await atHome((tx) => sessions.insert(tx, session));
      return session;
    },
    /** The calls beside the budget of a session. */
    made: async ({ id }: Session) => (await atHome((tx) => calls.countMany(tx, [id]))).get(id) ?? 0,
    call: ({ id }: Pick<ToolCallAnswer, 'id'>) => atHome((tx) => calls.find(tx, id)),
    get: (by: Principal, { id }: ToolCallAnswer) => parts.getToolCall.execute(by, id),
    list: (by: Principal, session: Session) =>
      parts.listSessionCalls.execute(by, session.id, { after: null, limit: 10 }),
    cancel: (by: Principal, { id }: ToolCallAnswer) => parts.cancelToolCall.execute(by, id),
    review: async (
      by: PersonPrincipal,
      { requestId }: ToolCallAnswer,
      verdict: Verdict = 'approve',
      more: { readonly confirm_word?: string; readonly always?: boolean; readonly step_up_id?: string } = {},
    ) => {
      const { id, binding } = await request(requestId);
      return approval.submitReview.execute(by, id, { verdict, subject_digest: boundDigest(binding), ...more });
    },
    /** A proof for an approval of this request, with more members of its operation. */
    proofOf: async (
      by: PersonPrincipal,
      { requestId }: ToolCallAnswer,
      more: { readonly always?: true; readonly confirm_word?: ConfirmWord } = {},
    ) => {
      const { id, binding } = await request(requestId);
      const operation = { kind: 'review', request_id: id, verdict: 'approve', comment: '' } as const;
      return proofs.prove(home.tenantId, by.personId, { ...operation, subject_digest: boundDigest(binding), ...more });
    },
    /** Ends the time of a request. */
    expire: async ({ requestId }: ToolCallAnswer) => {
      const { id, expiresAt } = await request(requestId);
      uow.now = expiresAt;
      return approval.expireDue.execute(home.tenantId, id);
    },
    endSession: (session: Session, principal: Principal) =>
      atHome(async (tx) =>
        parts.stopCalls.sessionEnded(tx, {
          ...{ session: endedSession(session), principal, actor: actorOf(principal) },
          at: await tx.now(),
        }),
      ),
    stop: (target: HaltTarget) =>
      atHome(async (tx) => {
        const halt = sampleHalt(home, target);
        return parts.stopCalls.stopCalls(tx, target, { principal: home.admin, at: await tx.now(), halt });
      }),
    agentDisabled: () =>
      atHome(async (tx) =>
        parts.stopCalls.agentDisabled(tx, home.agent.agentId, { principal: home.admin, at: await tx.now() }),
      ),
    halt: async (target: HaltTarget) => {
      const halt = sampleHalt(home, target);
      await atHome((tx) => stores.halts.insert(tx, halt));
      const lifted = { at: 0, by: actorOf(home.admin), note: 'over' };
      return () => atHome((tx) => stores.halts.saveLifted(tx, { ...halt, lifted }));
    },
    kept: ({ decisionId }: ToolCallAnswer) => (decisionId === null ? null : atHome((tx) => log.find(tx, decisionId))),
    audited: () => audit.of(home),
  };
}

export const codesOf = ({ decision }: ToolCallAnswer): readonly string[] => decision.reasons.map(({ code }) => code);
