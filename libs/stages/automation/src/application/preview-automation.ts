import { canonicalJson } from '#lib/canonical';
import type { AutomationDocument } from '#lib/formats';
import {
  err,
  notFound,
  ok,
  type LoggedEvent,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { EnvironmentReader } from '#lib/task';
import type { Automation } from '../domain/automation.js';
import { defaultInputs, type InputValues, type WrongInput } from '../domain/automation-inputs.js';
import type { AutomationId } from '../domain/ids.js';
import { inputsFrom } from '../domain/judge-trigger.js';
import { isWithin, metBy, type EntryWithEvents } from '../domain/meet-events.js';
import { pastOccurrences, schedulesOf } from '../domain/occurrences.js';
import type {
  AutomationRepository,
  AutomationRunRepository,
  LogMoment,
  PastEvents,
  PublicEvents,
} from './automation.ports.js';
import type { BlockedStep, JudgeSteps } from './judge-steps.js';
import { resolvedDocument } from './propose-automation.js';

const DAY_MS = 86_400_000;
const SPAN_MS = 30 * DAY_MS;
/** A page reads so many entries of the log, and holds so many occurrences. */
const AT_ONCE = 500;
const MAX_READ = 2_000;
const MAX_LISTED = 50;
/** Steps that a page judges. Occurrences with the same inputs are judged once. */
const MAX_JUDGED = 200;
/** The id of a time of a schedule: it comes after the entries of the same moment. */
const CRON_ID = '00000000-0000-7000-8000-000000000000';

/** An occurrence that would have started a run. */
export interface PastOccurrence {
  readonly trigger: 'cron' | 'event';
  /** Epoch milliseconds. */
  readonly at: number;
  /** The event and its entry; null for a time of a schedule. */
  readonly event: { readonly name: string; readonly entryId: string } | null;
  /** Null if the values of the event do not fit. */
  readonly inputs: InputValues | null;
  readonly wrong: readonly WrongInput[];
  /** The steps that would be blocked now. Null if the values do not fit, or beyond the steps that a page judges. */
  readonly blocked: readonly BlockedStep[] | null;
}

export interface AutomationPreview {
  /** Newest first. */
  readonly occurrences: readonly PastOccurrence[];
  /** The beginning of the next page; null at the end of the thirty days. */
  readonly next: LogMoment | null;
}

export interface PreviewAutomationDeps {
  readonly uow: UnitOfWork;
  readonly automations: Pick<AutomationRepository, 'find'>;
  readonly runs: Pick<AutomationRunRepository, 'calledBy'>;
  readonly environments: Pick<EnvironmentReader, 'byName' | 'names'>;
  readonly events: PublicEvents;
  readonly past: PastEvents;
  readonly judge: JudgeSteps;
}

type Found = Omit<PastOccurrence, 'blocked'> & { readonly moment: LogMoment };

/**
 * Lists the effects that a source would have had in the last thirty days. They are the times of its schedules and the
 * events of the log that it waits for. Each has its inputs, and the policies' word on each step as of now. Nothing is
 * executed or recorded. Missed times, overlaps and the bound of an hour are left aside.
 *
 * Failures: those of {@link resolvedDocument}, `resource.not_found`.
 */
export class PreviewAutomation {
  constructor(private readonly deps: PreviewAutomationDeps) {}

  /** @param of the automation of the source; its own events start nothing. Null for one that is not saved. */
  async execute(
    by: Principal,
    {
      source,
      of,
      before,
    }: { readonly source: string; readonly of: AutomationId | null; readonly before: LogMoment | null },
  ): Promise<Result<AutomationPreview>> {
    const { uow } = this.deps;
    const begun = await uow.run(by.tenantId, async (tx) => {
      const now = await tx.now();
      const resolved = await resolvedDocument(tx, this.deps.environments, source, now);
      if (!resolved.ok) return resolved;
      const automation = of === null ? null : await this.deps.automations.find(tx, of);
      return of !== null && automation === null
        ? err(notFound('automation'))
        : ok({ automation, now, document: resolved.value.document });
    });
    if (!begun.ok) return begun;
    const { automation, now, document } = begun.value;
    const from = now - SPAN_MS;
    const until = before ?? { at: now, id: CRON_ID };
    const read = await this.#events(by, document, from, before);
    const times = timesOf(document, { from, until }, read.end);
    return uow.run(by.tenantId, async (tx) => {
      const events = automation === null ? read.entries : await this.#others(tx, automation, read.entries);
      const found = [...events.flatMap((entry) => foundBy(document, entry) ?? []), ...times].sort(newestFirst);
      const listed = found.slice(0, MAX_LISTED);
      const last = found.length > MAX_LISTED ? listed.at(-1)?.moment : undefined;
      const occurrences = await this.#judged(tx, document, automation, listed);
      return ok({ occurrences, next: last ?? read.end });
    });
  }

  /** The entries of the log before the moment that a page reads; `end` is null if there are no more. */
  async #events(by: Principal, document: AutomationDocument, from: number, before: LogMoment | null) {
    const entries: EntryWithEvents[] = [];
    let moment = before;
    if (!document.triggers.some(({ type }) => type === 'event')) return { entries, end: null };
    for (let read = 0; read < MAX_READ; read += AT_ONCE) {
      const { events, next } = await this.deps.past.read(by.tenantId, from, moment, AT_ONCE);
      entries.push(...events.map((logged: LoggedEvent) => ({ logged, events: this.deps.events(logged) })));
      if (next === null) return { entries, end: null };
      moment = next;
    }
    return { entries, end: moment };
  }

  async #others(
    tx: Tx,
    automation: Automation,
    entries: readonly EntryWithEvents[],
  ): Promise<readonly EntryWithEvents[]> {
    const calls = entries.flatMap(({ logged: { subject } }) => (subject.type === 'tool_call' ? [subject.id] : []));
    const own = await this.deps.runs.calledBy(tx, automation.id, calls);
    return entries.filter(({ logged }) => !isWithin(automation, logged) && !own.has(logged.subject.id));
  }

  async #judged(
    tx: Tx,
    document: AutomationDocument,
    automation: Automation | null,
    found: readonly Found[],
  ): Promise<readonly PastOccurrence[]> {
    const known = new Map<string, readonly BlockedStep[]>();
    let left = MAX_JUDGED;
    const judged: PastOccurrence[] = [];
    for (const { moment: _, ...occurrence } of found) {
      const key = canonicalJson(occurrence.inputs);
      if (occurrence.inputs !== null && !known.has(key) && left >= document.steps.length) {
        left -= document.steps.length;
        known.set(
          key,
          await this.deps.judge.blocked(tx, document, automation?.identity?.agentId ?? null, occurrence.inputs),
        );
      }
      judged.push({ ...occurrence, blocked: known.get(key) ?? null });
    }
    return judged;
  }
}

/** The times of the schedules from the beginning of a page to the last entry that it read. */
function timesOf(
  document: AutomationDocument,
  { from, until }: { readonly from: number; readonly until: LogMoment },
  end: LogMoment | null,
): readonly Found[] {
  const span = {
    from: end === null ? from : end.at + 1,
    until: until.id === CRON_ID ? until.at - 1 : until.at,
  };
  const inputs = defaultInputs(document.inputs);
  return pastOccurrences(schedulesOf(document), span, MAX_LISTED + 1).map((at) => ({
    ...{ trigger: 'cron', at, event: null, inputs, wrong: [], moment: { at, id: CRON_ID } },
  }));
}

function foundBy(document: AutomationDocument, entry: EntryWithEvents): Found | null {
  const met = metBy(document, entry);
  if (met === null) return null;
  const { id, occurredAt: at } = met.logged;
  const filled = inputsFrom(document.inputs, met.trigger, met.body);
  const event = { name: met.event, entryId: id };
  const common = { trigger: 'event', at, event, moment: { at, id } } as const;
  return filled.ok ? { ...common, inputs: filled.value, wrong: [] } : { ...common, inputs: null, wrong: filled.error };
}

const newestFirst = ({ moment: a }: Found, { moment: b }: Found): number => b.at - a.at || (b.id < a.id ? -1 : 1);
