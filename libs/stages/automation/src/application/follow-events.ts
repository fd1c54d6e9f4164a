import type { AutomationDocument } from '#lib/formats';
import { actorOf, type LogFollower, type LogFollowing, type LoggedEvent, type Tx } from '#lib/kernel';
import { inputsFrom } from '../domain/judge-trigger.js';
import { isWithin, metBy, type Met, type EntryWithEvents } from '../domain/meet-events.js';
import type { Automation, AutomationFault } from '../domain/automation.js';
import { missedEvents } from '../domain/missed-times.js';
import type { WrongInput } from '../domain/automation-inputs.js';
import type { AutomationId } from '../domain/ids.js';
import { readAutomation, unreadable } from '../domain/read-automation.js';
import { automationWorker, type AutomationJournal } from './automation-journal.js';
import type { AutomationRepository, AutomationRunRepository, PublicEvents } from './automation.ports.js';
import type { PauseAutomation } from './pause-automation.js';
import type { Occurrence, StartAutomationRun } from './start-automation-run.js';

/** The name under which automations follow the log. */
export const AUTOMATION_FOLLOWER = 'automation';

/** An event that is found later than this counts as missed: the world has moved on since. */
const LATE_AFTER_MS = 15 * 60_000;
export const HOUR_MS = 3_600_000;

export interface FollowEventsDeps {
  readonly automations: Pick<AutomationRepository, 'listening' | 'lock' | 'lockFollowing'>;
  readonly following: Pick<LogFollowing, 'end'>;
  readonly runs: Pick<AutomationRunRepository, 'startedSince' | 'calledBy'>;
  readonly events: PublicEvents;
  readonly starting: StartAutomationRun;
  readonly pausing: PauseAutomation;
  readonly journal: AutomationJournal;
}

/**
 * Follows the log, and starts the runs of automations that wait for its events: one run for each event. An automation never hears
 * of its own calls and runs. Automations that start each other are paused once they start more runs in an hour than they may.
 */
export class FollowEvents implements LogFollower {
  readonly name = AUTOMATION_FOLLOWER;

  constructor(private readonly deps: FollowEventsDeps) {}

  async take(tx: Tx, logged: readonly LoggedEvent[]): Promise<void> {
    const listening = await this.deps.automations.listening(tx);
    if (listening.length === 0) {
      await this.#stopFollowing(tx);
      return;
    }
    const entries = logged
      .map((each) => ({ logged: each, events: this.deps.events(each) }))
      .filter(({ events }) => events.length > 0);
    for (const automation of listening) {
      const heard = await this.#others(tx, automation, entries);
      if (heard.length > 0) await this.#start(tx, automation.id, heard);
    }
  }

  /** The last one that waited for events was stopped. Its end is in the log, so a turn comes after it. */
  async #stopFollowing(tx: Tx): Promise<void> {
    const { automations, following } = this.deps;
    await automations.lockFollowing(tx);
    // One may have been enabled meanwhile.
    if ((await automations.listening(tx)).length === 0) await following.end(tx, this.name);
  }

  /** Those that the automation did not cause itself, since it waits for events. */
  async #others(
    tx: Tx,
    automation: Automation,
    entries: readonly EntryWithEvents[],
  ): Promise<readonly EntryWithEvents[]> {
    const since = entries.filter(
      ({ logged }) => logged.occurredAt >= (automation.listensFrom ?? Infinity) && !isWithin(automation, logged),
    );
    const calls = since.flatMap(({ logged: { subject } }) => (subject.type === 'tool_call' ? [subject.id] : []));
    const own = await this.deps.runs.calledBy(tx, automation.id, calls);
    return since.filter(({ logged }) => !own.has(logged.subject.id));
  }

  async #start(tx: Tx, id: AutomationId, heard: readonly EntryWithEvents[]): Promise<void> {
    const automation = await this.deps.automations.lock(tx, id);
    if (automation?.state !== 'enabled') return;
    const now = await tx.now();
    const read = readAutomation(automation.revision.source, now);
    if (!read.ok) {
      await this.deps.pausing.execute(tx, automation, unreadable(read.error));
      return;
    }
    const met = heard.flatMap((each) => metBy(read.value, each) ?? []);
    const isLate = ({ logged }: Met): boolean => logged.occurredAt < now - LATE_AFTER_MS;
    await this.#miss(tx, automation, read.value, met.filter(isLate), now);
    let left = read.value.most_per_hour - (await this.deps.runs.startedSince(tx, id, now - HOUR_MS));
    for (const each of met.filter((event) => !isLate(event))) {
      if (left <= 0) {
        await this.deps.pausing.execute(tx, automation, tooMany(read.value.most_per_hour));
        return;
      }
      if ((await this.deps.starting.execute(tx, automation, read.value, occurrenceOf(read.value, each, now))) !== null)
        left -= 1;
    }
  }

  /** One run that is left out stands for a series of late events. */
  async #miss(
    tx: Tx,
    automation: Automation,
    document: AutomationDocument,
    late: readonly Met[],
    now: number,
  ): Promise<void> {
    const latest = late.at(-1)?.logged;
    if (latest === undefined) return;
    const occurrence = { occurrence: `event:${latest.id}`, dueAt: latest.occurredAt, now, inputs: {} };
    await this.deps.starting.execute(tx, automation, document, { ...occurrence, fault: missedEvents(late.length) });
    const by = actorOf(automationWorker(tx.tenantId));
    const data = { latest: new Date(latest.occurredAt).toISOString(), events: late.length };
    await this.deps.journal.record(tx, automation, 'automation.missed', by, data);
  }
}

function occurrenceOf({ inputs }: AutomationDocument, { logged, trigger, body }: Met, now: number): Occurrence {
  const occurrence = `event:${logged.id}`;
  const filled = inputsFrom(inputs, trigger, body);
  const when = { occurrence, dueAt: logged.occurredAt, now };
  return filled.ok ? { ...when, inputs: filled.value } : { ...when, inputs: {}, fault: wrongInputs(filled.error) };
}

const wrongInputs = (wrong: readonly WrongInput[]): AutomationFault => ({
  code: 'automation.wrong_input',
  message: `The event does not fit: ${wrong.map(({ input, message }) => `${input}: ${message}`).join('; ')}`,
});

const tooMany = (most: number): AutomationFault => ({
  code: 'automation.too_many_runs',
  message: `It would have started more than ${String(most)} runs in an hour`,
});
