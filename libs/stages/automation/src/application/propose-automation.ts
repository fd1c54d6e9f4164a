import { createHash } from 'node:crypto';
import type { AutomationDocument } from '#lib/formats';
import {
  actorOf,
  err,
  newId,
  ok,
  type Failure,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { EnvironmentReader } from '#lib/task';
import { requireAdmin } from '#lib/tool';
import type { Automation, AutomationRevision } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import { readAutomation } from '../domain/read-automation.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationRepository } from './automation.ports.js';
import type { BlockedStep, JudgeSteps } from './judge-steps.js';

/**
 * So many proposals may wait for an admin at once, of all callers and of one. So none of them floods the list. Admins
 * have no limit.
 */
const MAX_PROPOSED = 100;
const MAX_PER_CALLER = 10;
/** Of one caller within an hour, in any state. A withdrawn one makes room among those that wait, and its row stays for days. */
const MAX_PER_CALLER_AND_HOUR = 30;
const HOUR_MS = 3_600_000;

/** An automation, and its steps that would be blocked now. */
export interface JudgedAutomation {
  readonly automation: Automation;
  readonly blocked: readonly BlockedStep[];
}

/**
 * Proposes an automation, by an agent or a person. Nothing runs before an admin enables it.
 *
 * Failures: those of {@link readAutomation}, `automation.unknown_environment`, `automation.name_taken`,
 * `automation.too_many_of_yours`, `automation.too_many_per_hour`, `automation.too_many_proposed`.
 */
export class ProposeAutomation {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly automations: AutomationRepository,
    private readonly environments: Pick<EnvironmentReader, 'byName' | 'names'>,
    private readonly judge: JudgeSteps,
    private readonly journal: AutomationJournal,
  ) {}

  execute(by: Principal, source: string): Promise<Result<JudgedAutomation>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const now = await tx.now();
      const resolved = await resolvedDocument(tx, this.environments, source, now);
      if (!resolved.ok) return resolved;
      const { document, environment } = resolved.value;
      const room = requireAdmin(by).ok ? ok(undefined) : await this.#room(tx, by, now);
      if (!room.ok) return room;
      const revision = revisionOf(source, { number: 1, author: actorOf(by), createdAt: now });
      const automation: Automation = {
        ...{ id: newId<AutomationId>(), name: document.name, environment, state: 'proposed', version: 1, revision },
        ...{ identity: null, failures: 0, lookedUntil: null, nextAt: null, listensFrom: null, proposedAt: now },
      };
      if (!(await this.automations.insert(tx, automation))) return err(nameTaken(document.name));
      await this.automations.addRevision(tx, automation.id, revision);
      const blocked = await this.judge.blocked(tx, document, null);
      await this.journal.record(tx, automation, 'automation.proposed', actorOf(by), {
        source,
        blocked: blocked.map(({ step }) => step),
      });
      return ok({ automation, blocked });
    });
  }

  async #room(tx: Tx, by: Principal, now: number): Promise<Result<void>> {
    const { all, own, recent } = await this.automations.countProposed(tx, actorOf(by), now - HOUR_MS);
    if (own >= MAX_PER_CALLER) return err(tooManyOfOne);
    if (recent >= MAX_PER_CALLER_AND_HOUR) return err(tooManyPerHour);
    return all < MAX_PROPOSED ? ok(undefined) : err(tooMany);
  }

  /** The steps that would be blocked, of a document that is saved nowhere. */
  validate(by: Principal, source: string): Promise<Result<readonly BlockedStep[]>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const resolved = await resolvedDocument(tx, this.environments, source, await tx.now());
      return resolved.ok ? ok(await this.judge.blocked(tx, resolved.value.document, null)) : resolved;
    });
  }
}

/** A document with its environment. */
export async function resolvedDocument(
  tx: Tx,
  environments: Pick<EnvironmentReader, 'byName' | 'names'>,
  source: string,
  now: number,
): Promise<Result<{ readonly document: AutomationDocument; readonly environment: Automation['environment'] }>> {
  const read = readAutomation(source, now);
  if (!read.ok) return read;
  const { environment: name } = read.value;
  const found = await environments.byName(tx, name);
  if (found === null) return err(unknownEnvironment(name, await environments.names(tx)));
  return ok({ document: read.value, environment: { id: found.id, name: found.name } });
}

export const revisionOf = (source: string, put: Omit<AutomationRevision, 'source' | 'sha256'>): AutomationRevision => ({
  ...put,
  source,
  sha256: createHash('sha256').update(source, 'utf8').digest('hex'),
});

const unknownEnvironment = (name: string, known: readonly string[]): Failure => {
  const [code, message] = ['automation.unknown_environment', `There is no environment "${name}".`];
  return {
    kind: 'unprocessable',
    code,
    message,
    action: `Name one of these: ${known.join(', ')}.`,
    errors: [{ pointer: '/environment', code, message }],
  };
};

export const nameTaken = (name: string): Failure => ({
  kind: 'conflict',
  code: 'automation.name_taken',
  message: `There is an automation ${name} already.`,
  action: 'Choose another name, or have an admin change that automation.',
});

const tooManyOfOne: Failure = {
  kind: 'conflict',
  code: 'automation.too_many_of_yours',
  message: `${String(MAX_PER_CALLER)} automations that you proposed wait for an admin, which is the most.`,
  action: 'Withdraw one of them, or have an admin enable or disable it.',
};

const tooManyPerHour: Failure = {
  kind: 'rate_limited',
  code: 'automation.too_many_per_hour',
  message: `You proposed ${String(MAX_PER_CALLER_AND_HOUR)} automations within an hour, which is the most.`,
  action: 'Wait, and check a document before you propose it.',
  retryAfterSeconds: 60,
};

const tooMany: Failure = {
  kind: 'conflict',
  code: 'automation.too_many_proposed',
  message: `${String(MAX_PROPOSED)} proposed automations wait for an admin, which is the most.`,
  action: 'Have an admin enable or disable some of them.',
};
