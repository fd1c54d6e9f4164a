import {
  actorOf,
  maskedBeginning,
  newId,
  type AuditSink,
  type JobQueue,
  type LogFollower,
  type LoggedEvent,
  type Tx,
} from '#lib/kernel';
import { fillCommand } from '../domain/fill-command.js';
import { hookedEvents, hookValues, isOwn, type HookedEvent } from '../domain/hook-event.js';
import type { HookExecutionId } from '../domain/ids.js';
import type { LifecycleHook } from '../domain/lifecycle-hook.js';
import { matchesEvent } from '../domain/match-event.js';
import { filledMessage } from '../domain/placeholders.js';
import { HOOK_FOLLOWER } from './settle-following.js';
import type { ExecutionStore, HookedCallers, HookedCalls, HookStore, NewExecution } from './lifecycle-hook.ports.js';

/** The most executions of a tenant that wait for runners. */
const MAX_WAITING = 1_000;
/** The most characters of a message of the log. */
const MAX_MESSAGE = 4_000;

/** The parts that write executions. */
export interface WriteExecutionsParts {
  readonly hooks: Pick<HookStore, 'all'>;
  readonly executions: Pick<ExecutionStore, 'write' | 'expireBeyond'>;
  readonly calls: HookedCalls;
  readonly callers: HookedCallers;
  /** The events that webhooks have for an entry. */
  readonly eventsOf: (logged: LoggedEvent) => readonly string[];
  readonly jobs: JobQueue;
  readonly audit: AuditSink;
}

/** Follows the log, and writes an execution for each event and each hook that listens for it. Nothing that is logged waits for it. */
export class WriteExecutions implements LogFollower {
  readonly name = HOOK_FOLLOWER;

  constructor(private readonly parts: WriteExecutionsParts) {}

  async take(tx: Tx, logged: readonly LoggedEvent[]): Promise<void> {
    const { hooks, executions, calls, callers, eventsOf, jobs } = this.parts;
    const listening = (await hooks.all(tx)).filter(({ enabled }) => enabled);
    const others = logged.filter((each) => !isOwn(each));
    if (listening.length === 0 || others.length === 0) return;
    const named = others.map((each) => ({ logged: each, names: eventsOf(each) }));
    const ofTools = named
      .filter(({ names }) => names.some((name) => name.startsWith('tool.')))
      .map((each) => each.logged);
    const [called, by] = [await calls.of(tx, ofTools), await callers.of(tx, ofTools)];
    const written: NewExecution[] = [];
    for (const { logged: entry, names } of named) {
      const events = hookedEvents(entry, names, called.get(entry.id) ?? null, by.get(entry.subject.id) ?? null);
      for (const event of events) {
        for (const hook of listening)
          if (matchesEvent(hook, event)) written.push(await this.#execution(tx, hook, event));
      }
    }
    if (written.length === 0) return;
    await executions.write(tx, written);
    const waiting = written.filter(({ state }) => state === 'pending');
    if (waiting.length > 0) await this.#dropOldest(tx, listening);
    await Promise.all(waiting.map(({ id }) => jobs.enqueue(tx, 'lifecycle_hook.execute', id)));
  }

  async #execution(tx: Tx, hook: LifecycleHook, event: HookedEvent): Promise<NewExecution> {
    const values = hookValues(hook.name, event);
    const { action } = hook;
    const written = {
      id: newId<HookExecutionId>(),
      ...{ hookId: hook.id, hook: hook.name, event: event.event, entryId: event.logged.id, kind: action.type },
      ...{ call: null, pool: null, environment: null, exitStatus: null, output: null, fault: null },
    };
    if (action.type === 'log') {
      const output = maskedBeginning(filledMessage(action.message, values), MAX_MESSAGE);
      await this.#record(tx, hook, 'lifecycle_hook_execution.logged', {
        event: event.event,
        entry_id: event.logged.id,
        message: output,
      });
      return { ...written, state: 'succeeded', output };
    }
    const { pool, environment } = action;
    const call = fillCommand(action, values);
    if (call.ok) return { ...written, state: 'pending', pool, environment, call: call.value };
    await this.#record(tx, hook, 'lifecycle_hook_execution.failed', { ...call.error, execution_id: written.id });
    return { ...written, state: 'refused', pool, environment, fault: call.error };
  }

  async #dropOldest(tx: Tx, hooks: readonly LifecycleHook[]): Promise<void> {
    const dropped = await this.parts.executions.expireBeyond(tx, MAX_WAITING, {
      code: 'lifecycle_hook.backlog_full',
      message: `More than ${String(MAX_WAITING)} executions waited for runners, and this was one of the oldest.`,
    });
    for (const hook of hooks) {
      const count = dropped.get(hook.id) ?? 0;
      if (count > 0) await this.#record(tx, hook, 'lifecycle_hook_execution.dropped', { count });
    }
  }

  #record(
    tx: Tx,
    { id, name }: LifecycleHook,
    action: `lifecycle_hook_execution.${'logged' | 'failed' | 'dropped'}`,
    facts: Readonly<Record<string, string | number>>,
  ): Promise<void> {
    return this.parts.audit.record(tx, {
      action,
      actor: actorOf({ kind: 'system', tenantId: tx.tenantId, name: 'lifecycle-hook' }),
      level: 'basic',
      subject: { type: 'lifecycle_hook', id },
      payload: { hook: name, ...facts },
    });
  }
}
