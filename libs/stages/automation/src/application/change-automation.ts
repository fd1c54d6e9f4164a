import type { AutomationDocument } from '#lib/formats';
import {
  actorOf,
  err,
  notFound,
  ok,
  type Failure,
  type LogFollowing,
  type Outbox,
  type PersonPrincipal,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { EnvironmentReader } from '#lib/task';
import { requireAdmin } from '#lib/tool';
import type { TakeBackAutomationCalls } from '#lib/tool-call';
import type { Automation } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import { nextOccurrence, schedulesOf } from '../domain/occurrences.js';
import { readAutomation } from '../domain/read-automation.js';
import type { AutomationIdentities } from './automation-identities.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationChange } from './automation-notices.js';
import type { AutomationRepository } from './automation.ports.js';
import { AUTOMATION_FOLLOWER } from './follow-events.js';
import type { BlockedStep, JudgeSteps } from './judge-steps.js';
import { nameTaken, resolvedDocument, revisionOf, type JudgedAutomation } from './propose-automation.js';
import type { SettleTimes } from './settle-times.js';

export interface ChangeAutomationDeps {
  readonly uow: UnitOfWork;
  readonly automations: AutomationRepository;
  readonly environments: Pick<EnvironmentReader, 'byName' | 'names'>;
  readonly judge: JudgeSteps;
  readonly identities: AutomationIdentities;
  readonly journal: AutomationJournal;
  readonly calls: Pick<TakeBackAutomationCalls, 'execute'>;
  readonly following: Pick<LogFollowing, 'begin'>;
  readonly outbox: Outbox;
  readonly settling: SettleTimes;
}

/**
 * Enables, changes and disables automations: a person who is a PlatformAdmin does. To enable or change one, they name the source
 * that they saw by its SHA-256.
 *
 * Failures: those of `requireAdmin`, `resource.not_found`, `automation.other_source`, `automation.steps_blocked`, those of
 * {@link AutomationIdentities.of}, `automation.name_taken`, `automation.renamed`.
 */
export class ChangeAutomation {
  constructor(private readonly deps: ChangeAutomationDeps) {}

  /** Lets it run. Its first enabling makes the agent that it acts as; that person answers for it from then on. */
  enable(by: Principal, id: AutomationId, seen: string): Promise<Result<Automation>> {
    return this.#changing(by, id, seen, async (tx, admin, automation) => {
      if (automation.state === 'enabled') return ok(automation);
      const now = await tx.now();
      const read = readAutomation(automation.revision.source, now);
      if (!read.ok) return read;
      const blocked = await this.deps.judge.blocked(tx, read.value, automation.identity?.agentId ?? null);
      const possible = requireSteps(read.value, blocked);
      if (!possible.ok) return possible;
      if (await this.deps.automations.isNameTaken(tx, automation)) return err(nameTaken(automation.name));
      const identity = await this.deps.identities.of(tx, admin, automation);
      if (!identity.ok) return identity;
      const next = { ...enabled(automation, read.value, now), identity: identity.value };
      await this.#save(tx, next);
      await this.deps.journal.record(tx, next, 'automation.enabled', actorOf(by));
      await this.#tell(tx, automation, admin, 'enabled');
      return ok(next);
    });
  }

  /** Puts another source in force, under the same name. An enabled automation stays enabled. */
  change(by: Principal, id: AutomationId, seen: string, source: string): Promise<Result<JudgedAutomation>> {
    return this.#changing(by, id, seen, async (tx, admin, automation) => {
      const now = await tx.now();
      const resolved = await resolvedDocument(tx, this.deps.environments, source, now);
      if (!resolved.ok) return resolved;
      const { document, environment } = resolved.value;
      if (document.name !== automation.name) return err(renamed(automation.name));
      const blocked = await this.deps.judge.blocked(tx, document, automation.identity?.agentId ?? null);
      const live = automation.state === 'enabled';
      const possible = live ? requireSteps(document, blocked) : ok(undefined);
      if (!possible.ok) return possible;
      const { number } = automation.revision;
      const revision = revisionOf(source, { number: number + 1, author: actorOf(by), createdAt: now });
      const changed = { ...automation, version: automation.version + 1, environment, revision };
      const next = live ? { ...enabled(automation, document, now), environment, revision } : changed;
      if (live) await this.#settle(tx, automation, now);
      await this.deps.automations.addRevision(tx, id, revision);
      await this.#save(tx, next);
      await this.deps.journal.record(tx, next, 'automation.changed', actorOf(by), { source });
      await this.#tell(tx, automation, admin, 'changed');
      return ok({ automation: next, blocked });
    });
  }

  /** Stops it. No run begins, and one that goes on makes no further step. A call that has not left never does. */
  disable(by: Principal, id: AutomationId): Promise<Result<Automation>> {
    return this.#changing(by, id, null, async (tx, admin, automation) => {
      if (automation.state === 'disabled') return ok(automation);
      const stopped = { state: 'disabled', lookedUntil: null, nextAt: null, listensFrom: null } as const;
      const next: Automation = { ...automation, ...stopped, version: automation.version + 1 };
      await this.#save(tx, next);
      const { identity } = automation;
      if (identity !== null)
        await this.deps.calls.execute(tx, { kind: 'agent', agentId: identity.agentId }, by, wasDisabled);
      await this.deps.journal.record(tx, next, 'automation.disabled', actorOf(by));
      await this.#tell(tx, automation, admin, 'disabled');
      return ok(next);
    });
  }

  #changing<T>(
    by: Principal,
    id: AutomationId,
    seen: string | null,
    work: (tx: Tx, admin: PersonPrincipal, automation: Automation) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const admin = requireAdmin(by);
    if (!admin.ok) return Promise.resolve(admin);
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const automation = await this.deps.automations.lock(tx, id);
      if (automation === null) return err(notFound('automation'));
      if (seen !== null && seen !== automation.revision.sha256) return err(otherSource(automation));
      return work(tx, admin.value, automation);
    });
  }

  /** The times that are due belong to the source that was in force then. */
  async #settle(tx: Tx, automation: Automation, now: number): Promise<void> {
    if (automation.nextAt === null || automation.nextAt > now) return;
    const read = readAutomation(automation.revision.source, now);
    if (read.ok) await this.deps.settling.execute(tx, automation, read.value, now);
  }

  /** The person who answers for the automation learns what another admin did. */
  async #tell(tx: Tx, { id, identity }: Automation, admin: PersonPrincipal, done: AutomationChange): Promise<void> {
    if (identity === null || (await this.deps.identities.ownerOf(tx, identity)) === admin.personId) return;
    const payload = { automation_id: id, done, by_id: admin.personId, by: admin.displayName };
    await this.deps.outbox.write(tx, { topic: 'automation.changed', payload });
  }

  async #save(tx: Tx, automation: Automation): Promise<void> {
    await this.deps.automations.save(tx, automation);
    await this.deps.automations.saveCourse(tx, automation);
    if (automation.listensFrom === null) return;
    await this.deps.automations.lockFollowing(tx);
    await this.deps.following.begin(tx, AUTOMATION_FOLLOWER);
  }
}

const enabled = (automation: Automation, document: AutomationDocument, now: number): Automation => ({
  ...automation,
  state: 'enabled',
  version: automation.version + 1,
  failures: 0,
  lookedUntil: now,
  nextAt: nextOccurrence(schedulesOf(document), now),
  listensFrom: document.triggers.some(({ type }) => type === 'event') ? now : null,
});

/** A step that would be blocked keeps an automation from being enabled, unless the automation goes on after it. */
function requireSteps({ on_blocked }: AutomationDocument, blocked: readonly BlockedStep[]): Result<void> {
  const [first] = blocked;
  if (first === undefined || on_blocked === 'skip') return ok(undefined);
  return err({
    kind: 'conflict',
    code: 'automation.steps_blocked',
    message: `The step ${first.step} would be blocked: ${first.fault.message}.`,
    action: 'Change the step, have the tool accepted, or set on_blocked to skip.',
    details: { blocked: blocked.map(({ step, tool, fault }) => ({ step, tool, ...fault })) },
  });
}

const wasDisabled = {
  code: 'automation.not_enabled',
  message: 'The automation was disabled before the call left',
};

const otherSource = ({ revision }: Automation): Failure => ({
  kind: 'conflict',
  code: 'automation.other_source',
  message: `The automation has another source than the one that you saw: it is at revision ${String(revision.number)}.`,
  action: 'Read it again, and name the source_sha256 that you read.',
  details: { source_sha256: revision.sha256 },
});

const renamed = (name: string): Failure => ({
  kind: 'unprocessable',
  code: 'automation.renamed',
  message: `The automation is called ${name}, and its name never changes.`,
  action: 'Keep the name, or propose another automation.',
  errors: [{ pointer: '/name', code: 'automation.renamed', message: `is not ${name}` }],
});
