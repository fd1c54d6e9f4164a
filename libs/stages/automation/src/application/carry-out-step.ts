import type { Json } from '#lib/canonical';
import type { AutomationDocument, AutomationStep } from '#lib/formats';
import type { Outbox, Tx } from '#lib/kernel';
import type { MakeAutomationCall } from '#lib/tool-call';
import { inAutomationRun, type Automation, type AutomationFault, type AutomationRun } from '../domain/automation.js';
import { fillArguments } from '../domain/fill-arguments.js';
import { judgeCondition } from '../domain/judge-condition.js';
import { acceptedVersion } from '../domain/safe-tool.js';
import type { AutomationIdentities } from './automation-identities.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationRunRepository, CallEnds } from './automation.ports.js';
import type { EndAutomationRun } from './end-automation-run.js';
import type { NoteCallEnd } from './note-call-end.js';
import type { SafeToolRepository } from './safe-tool.ports.js';

export interface CarryOutStepDeps {
  readonly outbox: Outbox;
  readonly runs: AutomationRunRepository;
  readonly entries: Pick<SafeToolRepository, 'hold'>;
  readonly identities: AutomationIdentities;
  readonly calls: Pick<MakeAutomationCall, 'execute'>;
  readonly callEnds: CallEnds;
  readonly noting: NoteCallEnd;
  readonly ending: EndAutomationRun;
  readonly journal: AutomationJournal;
}

/** The automation of a run, both locked, and the source that it carries out. */
export interface Course {
  readonly automation: Automation;
  readonly document: AutomationDocument;
  readonly now: number;
}

/** The run goes on with its next step, waits for a call, or ended. */
export type Next =
  | { readonly kind: 'on'; readonly run: AutomationRun }
  | { readonly kind: 'waits' }
  | { readonly kind: 'over' };

const OVER: Next = { kind: 'over' };

/** Carries out one step of a run. It puts a call to the policies again, weighs a condition, or writes a notice. */
export class CarryOutStep {
  constructor(private readonly deps: CarryOutStepDeps) {}

  /** Carries out the step at the run's position, or takes the outcome of the call that it waits for. */
  async execute(tx: Tx, course: Course, run: AutomationRun): Promise<Next> {
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
    const end = await this.deps.noting.execute(tx, run, course.now);
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
