import type { Json } from '#lib/canonical';
import type { AutomationDocument, AutomationStep } from '#lib/formats';
import {
  unlessNotAuthentic,
  type AutomationRunId,
  type Outbox,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { MakeAutomationCall } from '#lib/tool-call';
import { stateInWords } from '#lib/words';
import { inAutomationRun, type Automation, type AutomationFault, type AutomationRun } from '../domain/automation.js';
import { fillArguments } from '../domain/fill-arguments.js';
import { judgeCondition } from '../domain/judge-condition.js';
import { readAutomation, unreadable } from '../domain/read-automation.js';
import { acceptedVersion } from '../domain/safe-tool.js';
import type { AutomationIdentities } from './automation-identities.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationRepository, AutomationRunRepository, CallEnd, CallEnds } from './automation.ports.js';
import type { EndAutomationRun } from './end-automation-run.js';
import type { SafeToolRepository } from './safe-tool.ports.js';

export interface AdvanceAutomationRunDeps {
  readonly uow: UnitOfWork;
  readonly outbox: Outbox;
  readonly automations: AutomationRepository;
  readonly runs: AutomationRunRepository;
  readonly entries: Pick<SafeToolRepository, 'hold'>;
  readonly identities: AutomationIdentities;
  readonly calls: Pick<MakeAutomationCall, 'execute'>;
  readonly callEnds: CallEnds;
  readonly ending: EndAutomationRun;
  readonly journal: AutomationJournal;
}

/** A run with its automation, both locked, and the source that it carries out. */
interface Course {
  readonly automation: Automation;
  readonly document: AutomationDocument;
  readonly now: number;
}

/** The run goes on with its next step, waits for a call, or ended. */
type Next =
  { readonly kind: 'on'; readonly run: AutomationRun } | { readonly kind: 'waits' } | { readonly kind: 'over' };

const OVER: Next = { kind: 'over' };

/**
 * Carries a run on until it waits for a call or ends: one transaction, under the locks of its automation and itself. The policies are
 * asked at every call. A call leaves by its own job; its row says that the run is due again. So a worker may die at any moment, and no
 * step starts twice.
 */
export class AdvanceAutomationRun {
  constructor(private readonly deps: AdvanceAutomationRunDeps) {}

  /** @returns whether there was something to do. */
  execute(tenantId: TenantId, id: AutomationRunId): Promise<boolean> {
    return unlessNotAuthentic(this.deps.uow.run(tenantId, (tx) => this.#advance(tx, id)));
  }

  async #advance(tx: Tx, id: AutomationRunId): Promise<boolean> {
    const found = await this.deps.runs.find(tx, id);
    const automation = found && (await this.deps.automations.lock(tx, found.automationId));
    const locked = automation && (await this.deps.runs.lock(tx, id));
    if (automation === null || locked === null || !(await this.#isDue(tx, locked))) return false;
    const now = await tx.now();
    const course = await this.#begin(tx, automation, locked, now);
    if (course === null) return true;
    let next: Next = { kind: 'on', run: course.run };
    while (next.kind === 'on') next = await this.#step(tx, course, next.run);
    return true;
  }

  /** A run waits for its call, or for the run before it. */
  async #isDue(tx: Tx, run: AutomationRun): Promise<boolean> {
    if (run.state === 'executing') return run.callId === null || (await this.deps.callEnds.of(tx, run.callId)) !== null;
    if (run.state !== 'queued') return false;
    const [first] = await this.deps.runs.open(tx, run.automationId);
    return first?.id === run.id;
  }

  /** Null if the run ends here. */
  async #begin(
    tx: Tx,
    automation: Automation,
    found: AutomationRun,
    now: number,
  ): Promise<(Course & { readonly run: AutomationRun }) | null> {
    const fault = stopped(automation, found);
    if (fault !== null) {
      await this.#stop(tx, automation, found, fault, now);
      return null;
    }
    const read = readAutomation(automation.revision.source, now);
    if (!read.ok) {
      await this.#callEnded(tx, found, now);
      await this.deps.ending.unreadable(tx, { automation, run: found, now }, unreadable(read.error));
      return null;
    }
    const run: AutomationRun = { ...found, state: 'executing' };
    if (found.state === 'queued') {
      await this.deps.runs.save(tx, run);
      await this.deps.journal.recordRun(tx, run, 'automation_run.started');
    }
    return { automation, document: read.value, now, run };
  }

  /** Ends a run that goes no further, with the steps of the source that it carried out. */
  async #stop(tx: Tx, { id }: Automation, run: AutomationRun, fault: AutomationFault, now: number): Promise<void> {
    const source = await this.deps.automations.source(tx, id, run.revision);
    const read = source === null ? null : readAutomation(source, now);
    const called = (await this.#callEnded(tx, run, now)) !== null;
    const left = called ? { ...run, position: run.position + 1, callId: null } : run;
    await this.deps.ending.stopped(tx, { document: read?.ok === true ? read.value : null, run: left, now }, fault);
  }

  /** Notes the outcome of the call that the run waits for. @returns null if there is no outcome yet, or no call. */
  async #callEnded(tx: Tx, run: AutomationRun, now: number): Promise<CallEnd | null> {
    const { callEnds, runs, journal } = this.deps;
    const end = run.callId === null ? null : await callEnds.of(tx, run.callId);
    if (end === null) return null;
    const fault = end.kind === 'failed' ? end.fault : null;
    const step = (await runs.steps(tx, run.id)).find(({ seq }) => seq === run.position);
    if (step === undefined) throw new Error(`the run ${run.id} waits for a call of no step`);
    await runs.saveStep(tx, { ...step, state: end.kind, fault, finishedAt: now });
    const data = { step: step.step, tool_call_id: run.callId, step_state: end.kind };
    await journal.recordRun(tx, run, 'automation_run.step_ended', { ...data, ...(fault && { error: { ...fault } }) });
    return end;
  }

  async #step(tx: Tx, course: Course, run: AutomationRun): Promise<Next> {
    const { document, now } = course;
    const step = document.steps[run.position];
    if (step === undefined) {
      await this.deps.ending.completed(tx, { ...course, run });
      return OVER;
    }
    if (run.callId !== null) return this.#called(tx, course, run);
    if (step.type === 'tool_action') return this.#call(tx, course, run, step);
    if (step.type === 'condition') return this.#weigh(tx, course, run, step);
    await this.deps.outbox.write(tx, { topic: 'automation.notified', payload: { run_id: run.id, step: step.id } });
    await this.deps.runs.insertStep(tx, { ...stepRun(run, step, now), state: 'succeeded' });
    return this.#on(tx, run);
  }

  async #called(tx: Tx, course: Course, run: AutomationRun): Promise<Next> {
    const end = await this.#callEnded(tx, run, course.now);
    if (end === null) return { kind: 'waits' };
    if (end.kind === 'succeeded') return this.#on(tx, run);
    await this.deps.ending.failed(
      tx,
      { ...course, run: { ...run, position: run.position + 1, callId: null } },
      end.fault,
    );
    return OVER;
  }

  async #call(
    tx: Tx,
    course: Course,
    run: AutomationRun,
    step: AutomationStep & { readonly type: 'tool_action' },
  ): Promise<Next> {
    const { identities, entries, calls, runs, journal } = this.deps;
    const { automation, document, now } = course;
    if (automation.identity === null) throw new Error(`the automation ${automation.id} runs without an identity`);
    const principal = await identities.principalOf(tx, automation.identity);
    if (!principal.ok) return this.#fail(tx, course, run, step, principal.error);
    const accepted = acceptedVersion((await entries.hold(tx, step.tool)) ?? undefined);
    const { agentId } = automation.identity;
    const asked = { tool: step.tool, environment: document.environment, agentId, accepted };
    const call = { ...asked, arguments: fillArguments(step.arguments, run.inputs) };
    const made = await calls.execute(tx, principal.value, call, inAutomationRun(run));
    if (!made.ok) return this.#fail(tx, course, run, step, made.error);
    if (made.value.kind === 'blocked') return this.#blocked(tx, course, run, step, made.value.fault);
    const { callId } = made.value;
    await runs.insertStep(tx, { ...stepRun(run, step, now), state: 'calling', callId, finishedAt: null });
    await runs.save(tx, { ...run, callId });
    await journal.recordRun(tx, run, 'automation_run.step_called', { step: step.id, tool_call_id: callId });
    return { kind: 'waits' };
  }

  async #blocked(
    tx: Tx,
    course: Course,
    run: AutomationRun,
    step: AutomationStep & { readonly type: 'tool_action' },
    { code, message }: AutomationFault,
  ): Promise<Next> {
    const fault = { code, message };
    await this.deps.runs.insertStep(tx, { ...stepRun(run, step, course.now), state: 'blocked', fault });
    const data = { step: step.id, tool: step.tool, blocked: true, error: fault };
    await this.deps.journal.recordRun(tx, run, 'automation_run.step_blocked', data);
    if (course.document.on_blocked === 'skip') return this.#on(tx, run);
    await this.deps.ending.failed(tx, { ...course, run: { ...run, position: run.position + 1 } }, fault);
    return OVER;
  }

  async #weigh(
    tx: Tx,
    course: Course,
    run: AutomationRun,
    step: AutomationStep & { readonly type: 'condition' },
  ): Promise<Next> {
    const verdict = judgeCondition(step.if, await this.#results(tx, run));
    if (verdict.kind === 'unclear')
      return this.#fail(tx, course, run, step, { code: 'automation.condition_unclear', message: verdict.why });
    const state = verdict.kind === 'met' ? 'succeeded' : 'not_met';
    await this.deps.runs.insertStep(tx, { ...stepRun(run, step, course.now), state });
    if (state === 'succeeded') return this.#on(tx, run);
    await this.deps.ending.completed(tx, { ...course, run: { ...run, position: run.position + 1 } });
    return OVER;
  }

  /** The results of the calls so far, by step. */
  async #results(tx: Tx, run: AutomationRun): Promise<ReadonlyMap<string, Json>> {
    const results = new Map<string, Json>();
    for (const { step, callId, state } of await this.deps.runs.steps(tx, run.id)) {
      const end = callId === null || state !== 'succeeded' ? null : await this.deps.callEnds.of(tx, callId);
      if (end?.kind === 'succeeded') results.set(step, end.result);
    }
    return results;
  }

  async #fail(
    tx: Tx,
    course: Course,
    run: AutomationRun,
    step: AutomationStep,
    { code, message }: AutomationFault,
  ): Promise<Next> {
    const fault = { code, message };
    await this.deps.runs.insertStep(tx, { ...stepRun(run, step, course.now), state: 'failed', fault });
    await this.deps.ending.failed(tx, { ...course, run: { ...run, position: run.position + 1 } }, fault);
    return OVER;
  }

  async #on(tx: Tx, run: AutomationRun): Promise<Next> {
    const next = { ...run, position: run.position + 1, callId: null };
    await this.deps.runs.save(tx, next);
    return { kind: 'on', run: next };
  }
}

const stepRun = (run: AutomationRun, { id, type }: AutomationStep, now: number) => ({
  ...{ runId: run.id, seq: run.position, step: id, type, fault: null, callId: null, startedAt: now, finishedAt: now },
});

/** Why a run goes no further: the automation was stopped since, even if it is enabled again, or its source was replaced. */
function stopped({ state, version, revision }: Automation, run: AutomationRun): AutomationFault | null {
  if (state !== 'enabled')
    return { code: 'automation.not_enabled', message: `The automation is ${stateInWords(state)}` };
  if (version === run.version) return null;
  if (revision.number !== run.revision)
    return { code: 'automation.changed', message: 'The automation was changed before the run ended' };
  return {
    code: 'automation.not_enabled',
    message: 'The automation was stopped, and enabled again, before the run ended',
  };
}
