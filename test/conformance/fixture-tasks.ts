import { randomUUID } from 'node:crypto';
import { acceptedContent, inputRequired, type CallToolResult, type InputRequest } from '@modelcontextprotocol/server';
import type { McpTask, McpTasks } from '../../apps/api/src/mcp/mcp-tasks.js';

const TTL_MS = 600_000;

/** The ends that a task may come to by itself. */
type End =
  | { readonly result: CallToolResult }
  | { readonly error: { readonly code: number; readonly message: string } };

interface Kept {
  readonly createdAt: number;
  readonly dueAt: number;
  readonly end: End;
  /** Requests without an answer. While there is one, the task waits. */
  readonly open: Record<string, InputRequest>;
  cancelledAt: number | null;
  changedAt: number;
}

export const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

/** Asks the user for one word. */
export const askFor = (name: string, message: string): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  });

/** The tasks of the suite's tools. A task knows when it is due, so that no timer runs. */
export class FixtureTasks implements McpTasks {
  readonly #tasks = new Map<string, Kept>();

  begin(afterMs: number, end: End, open: Record<string, InputRequest> = {}): McpTask {
    const id = randomUUID();
    const now = Date.now();
    this.#tasks.set(id, { createdAt: now, dueAt: now + afterMs, end, open, cancelledAt: null, changedAt: now });
    // A new task says no more than that, also if it is due at once.
    return { ...stateOf(id, now, now), status: 'working' };
  }

  find(id: string): Promise<McpTask | null> {
    return Promise.resolve(this.#tasks.has(id) ? this.#shown(id, this.#kept(id)) : null);
  }

  answer(id: string, responses: Readonly<Record<string, unknown>>): Promise<void> {
    const task = this.#kept(id);
    for (const key of Object.keys(responses)) Reflect.deleteProperty(task.open, key);
    task.changedAt = Date.now();
    return Promise.resolve();
  }

  async cancel(id: string): Promise<void> {
    const task = this.#kept(id);
    const { status } = this.#shown(id, task);
    if (status === 'working' || status === 'input_required') task.cancelledAt = Date.now();
    await Promise.resolve();
  }

  #kept(id: string): Kept {
    const task = this.#tasks.get(id);
    if (task === undefined) throw new Error(`there is no task ${id}`);
    return task;
  }

  #shown(taskId: string, { createdAt, dueAt, end, open, cancelledAt, changedAt }: Kept): McpTask {
    const state = stateOf(taskId, createdAt, cancelledAt ?? changedAt);
    if (cancelledAt !== null) return { ...state, status: 'cancelled' };
    if (Object.keys(open).length > 0) return { ...state, status: 'input_required', inputRequests: { ...open } };
    if (Date.now() < dueAt) return { ...state, status: 'working' };
    if ('error' in end) return { ...state, status: 'failed', error: end.error };
    return { ...state, status: 'completed', result: { ...end.result, resultType: 'complete' } };
  }
}

const stateOf = (taskId: string, createdAt: number, changedAt: number) => ({
  taskId,
  createdAt: new Date(createdAt).toISOString(),
  lastUpdatedAt: new Date(changedAt).toISOString(),
  ttlMs: TTL_MS,
  pollIntervalMs: 200,
});

/** The word that the user gave, if they gave one. */
export const wordOf = (responses: Record<string, unknown> | undefined, key: string, name: string): string | null => {
  const word = acceptedContent(responses, key)?.[name];
  return typeof word === 'string' ? word : null;
};
