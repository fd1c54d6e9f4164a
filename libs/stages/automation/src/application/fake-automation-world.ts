import type { JsonObject } from '#lib/canonical';
import { createAutomations } from '../create-automations.js';
import { FakeSafeToolRepository } from './fake-safe-tool.repository.js';
import { fakePolicy } from '../../../../rules/policy/src/fake-policy.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeAutonomyRepository } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { FakeHaltRepository } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../../../registry/tool/src/application/fake-executor.repository.js';
import { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import {
  newId,
  ok,
  type DecisionId,
  type LogFollowing,
  type LoggedEvent,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import { FakeAuditSink, FakeJobQueue, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { samplePerson, sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeCredentialRepository } from '../../../../people/identity/src/application/fake-credential.repository.js';
import {
  FakeAgentRepository,
  FakePeopleRows,
  FakePersonRepository,
} from '../../../../people/identity/src/application/fake-people.js';
import type { Automation, AutomationRun, AutomationStepRun } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { SignedMessage } from './automation-webhook.ports.js';
import type { CallEnd } from './automation.ports.js';
import { fakeIdentity } from '../../../../people/identity/src/fake-identity.js';
import { FakeAutomationRunRepository } from './fake-automation-run.repository.js';
import { FakeAutomationSecrets } from './fake-automation-secrets.js';
import { FakeAutomationRepository, sampleAutomationRevision } from './fake-automation.repository.js';

const DAY_MS = 86_400_000;
const notHere = () => Promise.reject(new Error('no test of this world needs it'));

/** The use cases of automations over fakes. Every call is allowed, and goes on until a test ends it. */
export class FakeAutomationWorld {
  readonly uow = new FakeUnitOfWork();
  readonly tenant = sampleTenant();
  readonly ada: PersonPrincipal = { ...this.tenant.admin, scopes: ['read', 'submit', 'admin'] };
  readonly audit = new FakeAuditSink(this.uow);
  readonly outbox = new FakeOutbox(this.uow);
  readonly jobs = new FakeJobQueue(this.uow);
  readonly #rows = new FakePeopleRows(this.uow);
  readonly people = new FakePersonRepository(this.#rows);
  readonly agents = new FakeAgentRepository(this.#rows);
  readonly credentials = new FakeCredentialRepository(this.#rows);
  readonly automations = new FakeAutomationRepository(this.uow);
  readonly runs = new FakeAutomationRunRepository(this.uow);
  /** The calls that were made, by the agent that made them. */
  readonly made: {
    readonly id: ToolCallId;
    readonly tool: string;
    readonly given: JsonObject;
    readonly credentialId: string;
  }[] = [];
  /** The calls that were taken back, as they were named. */
  readonly takenBack: object[] = [];
  /** The names under which the log is followed. */
  readonly followed = new Set<string>();
  readonly #following: LogFollowing = {
    begin: (_tx, follower) => Promise.resolve(void this.followed.add(follower)),
    end: (_tx, follower) => Promise.resolve(void this.followed.delete(follower)),
  };
  readonly ends = new Map<ToolCallId, CallEnd>();
  /** Policies would block calls with these values of arguments. */
  readonly blocks = new Set<string>();
  readonly #random = { bytes: (count: number): Uint8Array => Buffer.alloc(count, (this.#drawn += 1)) };
  #drawn = 0;
  readonly secrets = new FakeAutomationSecrets(this.uow);
  /** The log of the past, newest first. */
  readonly log: LoggedEvent[] = [];
  readonly #parts = createAutomations({
    ...{ uow: this.uow, audit: this.audit, jobs: this.jobs, outbox: this.outbox, following: this.#following },
    rows: {
      ...{ automations: this.automations, runs: this.runs },
      secrets: Object.assign(this.secrets, { resealStale: notHere }),
      safeTools: new FakeSafeToolRepository(this.uow),
      recipients: { of: () => Promise.resolve([this.ada.personId]) },
      enclosing: { of: () => Promise.resolve([]) },
      isSigned: (secrets, message) => secrets.some((secret) => message.signature === signatureBy(secret, message)),
    },
    /** Every entry is an event of its own action. */
    events: ({ action, payload }) => [{ event: action, body: { event: action, data: { facts: payload } } }],
    past: {
      read: (_tenant, from, before, limit) => {
        const rest = this.log.filter(
          ({ occurredAt: at, id }) =>
            at >= from && (before === null || at < before.at || (at === before.at && id < before.id)),
        );
        const last = rest.length > limit ? rest[limit - 1] : undefined;
        const next = last === undefined ? null : { at: last.occurredAt, id: last.id };
        return Promise.resolve({ events: rest.slice(0, limit), next });
      },
    },
    twoPersonRule: new FakeTwoPersonRule(this.uow),
    policy: fakePolicy(this.uow).decisionPoint,
    autonomy: new FakeAutonomyRepository(this.uow),
    environments: new FakeEnvironmentRepository(this.uow, [this.tenant]),
    halts: new FakeHaltRepository(this.uow),
    tools: new FakeToolRepository(this.uow),
    executors: new FakeExecutorRepository(this.uow, []),
    directory: { people: this.people, agents: this.agents, credentials: this.credentials },
    mintCredential: fakeIdentity(this.uow, { credentials: this.credentials, random: this.#random }).mintCredential,
    toolCall: {
      judgeAutomationCall: {
        executorFault: () => null,
        preview: (_tx, { arguments: given }) =>
          Promise.resolve(
            Object.values(given).some((value) => typeof value === 'string' && this.blocks.has(value))
              ? { code: 'automation.not_safe', message: 'It is not safe' }
              : null,
          ),
      },
      makeAutomationCall: {
        execute: (_tx, { credentialId }, { tool, arguments: given }) => {
          const id = newId<ToolCallId>();
          this.made.push({ id, tool, given, credentialId });
          return Promise.resolve(ok({ kind: 'made', callId: id, decisionId: newId<DecisionId>() }));
        },
      },
      takeBackAutomationCalls: {
        execute: (_tx, of) => {
          this.takenBack.push(of);
          return Promise.resolve();
        },
      },
      callEnds: { of: (_tx, id) => Promise.resolve(this.ends.get(id) ?? null) },
    },
  });
  readonly propose = this.#parts.proposeAutomation;
  readonly change = this.#parts.changeAutomation;
  readonly withdraw = this.#parts.withdrawAutomation;
  readonly trigger = this.#parts.triggerAutomation;
  readonly request = this.#parts.requestAutomationRun;
  readonly renewSecret = this.#parts.renewAutomationSecret;
  readonly webhook = this.#parts.receiveAutomationWebhook;
  readonly follower = this.#parts.follower;
  readonly preview = this.#parts.previewAutomation;
  readonly advance = this.#parts.advanceAutomationRun;
  readonly restore = this.#parts.restore;
  readonly #notices = this.#parts.notices('https://c.example');
  readonly messages = this.#notices['automation.notified'];
  readonly paused = this.#notices['automation.paused'];
  readonly changed = this.#notices['automation.changed'];

  static async open(): Promise<FakeAutomationWorld> {
    const world = new FakeAutomationWorld();
    await world.#keep(world.ada);
    return world;
  }

  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenant.tenantId, work);
  }

  /** Another PlatformAdmin. */
  async admin(): Promise<PersonPrincipal> {
    const person = { ...samplePerson(this.tenant.tenantId, ['PlatformAdmin']), scopes: this.ada.scopes };
    await this.#keep(person);
    return person;
  }

  async enabled(source: string, by = this.ada): Promise<Automation> {
    const { automation } = valueOf(await this.propose.execute(by, source));
    return valueOf(await this.change.enable(by, automation.id, automation.revision.sha256));
  }

  find(id: AutomationId): Promise<Automation> {
    return this.tx(async (tx) => there(await this.automations.find(tx, id)));
  }

  /** Puts an unreadable source in force, as if an earlier version of Countersign had accepted it. */
  unreadable(automation: Automation): Promise<Automation> {
    const number = automation.revision.number + 1;
    const revision = { ...sampleAutomationRevision(this.tenant, number), source: 'name: [' };
    const changed: Automation = { ...automation, version: automation.version + 1, revision };
    return this.tx(async (tx) => {
      await this.automations.addRevision(tx, changed.id, revision);
      await this.automations.save(tx, changed);
      return changed;
    });
  }

  /** Lets the next time of the schedule come. */
  async tick({ id }: Pick<Automation, 'id'>): Promise<void> {
    this.uow.now += DAY_MS;
    await this.trigger.execute(this.tenant.tenantId, id);
  }

  /** Carries every open run on as far as it goes. */
  async work({ id }: Pick<Automation, 'id'>): Promise<void> {
    for (const run of await this.tx((tx) => this.runs.open(tx, id)))
      await this.advance.execute(this.tenant.tenantId, run.id);
  }

  /** Ends the last call that was made. */
  end(end: CallEnd = { kind: 'succeeded', result: { metrics: { unhealthy: 1 } } }): void {
    this.ends.set(there(this.made.at(-1) ?? null).id, end);
  }

  /** The newest run with its steps. */
  last({ id }: Pick<Automation, 'id'>): Promise<{
    readonly run: AutomationRun;
    readonly steps: readonly AutomationStepRun[];
  }> {
    return this.tx(async (tx) => {
      const [run = null] = await this.runs.list(tx, id, { limit: 1, after: null });
      return { run: there(run), steps: await this.runs.steps(tx, there(run).id) };
    });
  }

  disablePerson(id: PersonId): Promise<void> {
    return this.tx(async (tx) => {
      const person = there(await this.people.find(tx, id));
      await this.people.save(tx, { ...person, disabledAt: this.uow.now });
    });
  }

  async #keep({ personId }: PersonPrincipal): Promise<void> {
    const email = `${personId}@example.com`;
    await this.tx((tx) => this.people.insert(tx, { id: personId, email, displayName: email }));
  }
}

/** The signature of a message, as {@link FakeAutomationWorld} verifies it. */
export const signatureBy = (secret: string, { id, body }: Pick<SignedMessage, 'id' | 'body'>): string =>
  JSON.stringify([secret, id, body]);

export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.error.code}`);
  return result.value;
}

export function there<T>(found: T | null): T {
  if (found === null) throw new Error('it is not there');
  return found;
}

/** An automation with these steps, which is due each day. */
export const automationSource = (name: string, steps: string, settings = ''): string => `name: ${name}
environment: staging
triggers:
  - { type: cron, schedule: "0 3 * * *", time_zone: Europe/Berlin, missed: run_once }
${settings}steps:
${steps}`;

/** A step that calls a tool. */
export const callStep = (id: string, tool = 'check_web'): string =>
  `  - { id: ${id}, type: tool_action, tool: ${tool}, arguments: {} }\n`;

/** A step that tells people. */
export const notifyStep = (id: string, message = 'It is done.'): string =>
  `  - { id: ${id}, type: notify, message: ${message} }\n`;

/** The steps with their outcomes, in order. */
export const outcomes = (steps: readonly AutomationStepRun[]): readonly string[] =>
  steps.map(({ step, state }) => `${step} ${state}`);
