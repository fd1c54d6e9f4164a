import type { Json } from '#lib/canonical';
import type { AutomationDocument } from '#lib/formats';
import {
  err,
  newId,
  notFound,
  ok,
  type Failure,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { Automation, AutomationRun } from '../domain/automation.js';
import { fillInputs, type WrongInput } from '../domain/automation-inputs.js';
import type { AutomationId } from '../domain/ids.js';
import { readAutomation } from '../domain/read-automation.js';
import type { AutomationRepository, AutomationRunRepository } from './automation.ports.js';
import { HOUR_MS } from './follow-events.js';
import type { StartAutomationRun } from './start-automation-run.js';

/**
 * Starts a run by the endpoint of an automation. The caller names inputs, and nothing else.
 *
 * Failures: `resource.not_found`, `automation.not_enabled`, `automation.no_endpoint`, `automation.wrong_input`,
 * `automation.too_many_runs`, those of {@link readAutomation}.
 */
export class RequestAutomationRun {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly automations: Pick<AutomationRepository, 'lock'>,
    private readonly runs: Pick<AutomationRunRepository, 'startedSince'>,
    private readonly starting: StartAutomationRun,
  ) {}

  execute(by: Principal, id: AutomationId, given: Readonly<Record<string, Json>>): Promise<Result<AutomationRun>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const automation = await this.automations.lock(tx, id);
      if (automation === null) return err(notFound('automation'));
      const now = await tx.now();
      const document = startable(automation, now);
      if (!document.ok) return document;
      if (!document.value.triggers.some(({ type }) => type === 'endpoint')) return err(noEndpoint);
      const inputs = fillInputs(document.value.inputs, given);
      if (!inputs.ok) return err(wrongInput(inputs.error));
      const most = await requireRoom(tx, this.runs, automation, document.value, now);
      if (!most.ok) return most;
      const occurrence = `endpoint:${newId()}`;
      const asked = { occurrence, dueAt: now, now, inputs: inputs.value, by };
      const run = await this.starting.execute(tx, automation, document.value, asked);
      if (run === null) throw new Error(`the occurrence ${occurrence} has a run already`);
      return ok(run);
    });
  }
}

/** The document of an automation that may start a run now. */
export function startable({ state, revision }: Automation, now: number): Result<AutomationDocument> {
  return state === 'enabled' ? readAutomation(revision.source, now) : err(notEnabled(state));
}

/** Refuses a run beyond those that an automation may start in an hour. */
export async function requireRoom(
  tx: Tx,
  runs: Pick<AutomationRunRepository, 'startedSince'>,
  { id }: Automation,
  { most_per_hour: most }: AutomationDocument,
  now: number,
): Promise<Result<void>> {
  if ((await runs.startedSince(tx, id, now - HOUR_MS)) < most) return ok(undefined);
  return err({
    kind: 'rate_limited',
    code: 'automation.too_many_runs',
    message: `The automation started ${String(most)} runs within an hour, which is the most.`,
    action: 'Wait, or have an admin raise most_per_hour.',
    retryAfterSeconds: 60,
  });
}

const notEnabled = (state: Automation['state']): Failure => ({
  kind: 'conflict',
  code: 'automation.not_enabled',
  message: `The automation is ${stateInWords(state)}, so it starts no run.`,
  action: 'Have an admin enable it.',
});

const noEndpoint: Failure = {
  kind: 'conflict',
  code: 'automation.no_endpoint',
  message: 'The automation has no trigger of type endpoint.',
  action: 'Have an admin add one to its source.',
};

/** Names each input that is wrong, and never its value. */
export const wrongInput = (wrong: readonly WrongInput[]): Failure => ({
  kind: 'unprocessable',
  code: 'automation.wrong_input',
  message: `The automation does not take these inputs: ${wrong.map(({ input }) => input).join(', ')}.`,
  action: 'Correct the listed inputs, and try again.',
  errors: wrong.map(({ input, message }) => ({
    pointer: `/inputs/${input}`,
    code: 'automation.wrong_input',
    message,
  })),
});
