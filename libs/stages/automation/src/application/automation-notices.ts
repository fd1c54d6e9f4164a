import type { OutboxPayloads, PersonId, Tx } from '#lib/kernel';
import type { Automation, AutomationRun, AutomationStepRun } from '../domain/automation.js';
import { readAutomation } from '../domain/read-automation.js';
import type { AutomationRecipients, AutomationRepository, AutomationRunRepository } from './automation.ports.js';

/** A notice, as the delivery of messages takes it. */
interface AutomationNotice {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly done: null;
  readonly words: null;
  readonly url: string;
  readonly environment: string;
  readonly people: readonly PersonId[];
  readonly always: false;
  readonly alsoTo: readonly string[];
}

/** The message of a notify step, to the person accountable for the automation and the channel of its environment. */
export class AutomationMessages {
  /** @param publicUrl the address of Countersign in a browser. */
  constructor(
    private readonly automations: Pick<AutomationRepository, 'find'>,
    private readonly runs: Pick<AutomationRunRepository, 'find' | 'steps'>,
    private readonly recipients: AutomationRecipients,
    private readonly publicUrl: string,
  ) {}

  /** Null if the step is gone, with another source. */
  async read(
    tx: Tx,
    { run_id: runId, step: stepId }: OutboxPayloads['automation.notified'],
  ): Promise<AutomationNotice | null> {
    const run = await this.runs.find(tx, runId);
    const automation = run && (await this.automations.find(tx, run.automationId));
    if (run === null || automation?.revision.number !== run.revision) return null;
    const read = readAutomation(automation.revision.source, run.createdAt);
    const step = read.ok ? read.value.steps.find(({ id }) => id === stepId) : undefined;
    if (step?.type !== 'notify') return null;
    return {
      id: `${run.id}:${step.id}`,
      ...wording(automation, run, await this.runs.steps(tx, run.id), step.message),
      ...notice(automation, await this.recipients.of(tx, automation), this.publicUrl),
    };
  }
}

/** The notice to the person who answers for an automation that it was paused. */
export class AutomationPausedNotices {
  /** @param publicUrl the address of Countersign in a browser. */
  constructor(
    private readonly automations: Pick<AutomationRepository, 'find'>,
    private readonly recipients: AutomationRecipients,
    private readonly publicUrl: string,
  ) {}

  /** Null if it is not paused any more. */
  async read(
    tx: Tx,
    { automation_id: id, why }: OutboxPayloads['automation.paused'],
  ): Promise<AutomationNotice | null> {
    const automation = await this.automations.find(tx, id);
    if (automation?.state !== 'paused') return null;
    return {
      id: `${automation.id}:paused:${String(automation.version)}`,
      title: `The automation ${automation.name} is paused`,
      lines: [
        automation.failures > 1
          ? `${String(automation.failures)} runs in a row failed, the last one with: ${why}`
          : why,
        'It starts no run until an admin has read it again, and enables it on its page.',
      ],
      ...notice(automation, await this.recipients.of(tx, automation), this.publicUrl),
    };
  }
}

/** The acts of an admin of which the person who answers for an automation is told. */
export type AutomationChange = 'changed' | 'enabled' | 'disabled';

/** The notice to the person who answers for an automation that another admin changed, enabled or disabled it. */
export class AutomationChangeNotices {
  /** @param publicUrl the address of Countersign in a browser. */
  constructor(
    private readonly automations: Pick<AutomationRepository, 'find'>,
    private readonly recipients: AutomationRecipients,
    private readonly publicUrl: string,
  ) {}

  /** Null if nobody else is to be told. */
  async read(
    tx: Tx,
    { automation_id: id, done, by_id: byId, by }: OutboxPayloads['automation.changed'],
  ): Promise<AutomationNotice | null> {
    const automation = await this.automations.find(tx, id);
    if (automation === null) return null;
    const people = (await this.recipients.of(tx, automation)).filter((person) => person !== byId);
    if (people.length === 0) return null;
    return {
      id: `${automation.id}:${done}:${String(automation.version)}`,
      title: `${by} ${done} the automation ${automation.name}`,
      lines: ['You answer for its agent, so you are told.', 'Its page shows it as it is now.'],
      ...notice(automation, people, this.publicUrl),
    };
  }
}

/** The words of a notify step are written for a run that succeeds: after a failure they are only quoted. */
function wording(
  { name, environment }: Automation,
  { fault }: AutomationRun,
  steps: readonly AutomationStepRun[],
  message: string,
): Pick<AutomationNotice, 'title' | 'lines'> {
  const wrong = steps.flatMap((step) => (step.fault === null ? [] : [`${step.step}: ${step.fault.message}`]));
  if (fault === null) {
    const well = `Every step so far succeeded in ${environment.name}.`;
    return { title: `${name}: ${message}`, lines: wrong.length === 0 ? [well] : wrong };
  }
  const why = wrong.length === 0 ? [fault.message] : wrong;
  return { title: `${name} failed`, lines: [...why, `The message of its notify step: “${message}”`] };
}

const notice = ({ id, environment }: Automation, people: readonly PersonId[], publicUrl: string) => ({
  ...({ done: null, words: null, environment: environment.name, people, always: false, alsoTo: [] } as const),
  url: new URL(`/automations/${id}`, publicUrl).toString(),
});
