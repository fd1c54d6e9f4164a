import { once } from 'node:events';
import { isTimeout } from '../domain/is-timeout.js';
import type { ToolContext } from '../domain/runner-tool.js';
import { withRoot } from '../files/locate.js';
import { runScript, type ScriptEnd } from '../programs/run-script.js';
import type { WorkspaceSettings } from './settings.js';

/**
 * Runs the configured scripts after writes. One run at a time for a workspace. Writes that come during a run share the
 * next one, which sees all of them.
 */
export class Checks {
  readonly #running = new Map<string, Promise<readonly ScriptEnd[]>>();
  readonly #next = new Map<string, Promise<readonly ScriptEnd[]>>();

  constructor(private readonly settings: WorkspaceSettings) {}

  /** The longest time that {@link after} takes, in seconds: a run that is under way, and the own one. */
  get seconds(): number {
    return this.settings.checks.length * this.settings.programs.scriptSeconds * 2;
  }

  /** The results of a run that began after this moment. If the time of the call is over before, each script counts as timed out. */
  async after(context: ToolContext): Promise<readonly ScriptEnd[]> {
    return await Promise.race([this.#nextRun(context), this.#lateIn(context.signal)]);
  }

  async #lateIn(signal: AbortSignal): Promise<readonly ScriptEnd[]> {
    if (!signal.aborted) await once(signal, 'abort');
    if (!isTimeout(signal.reason)) signal.throwIfAborted();
    return this.settings.checks.map(late);
  }

  async #nextRun(context: ToolContext): Promise<readonly ScriptEnd[]> {
    const { root } = context;
    const shared = this.#next.get(root);
    if (shared !== undefined) return await shared;
    const running = this.#running.get(root);
    if (running === undefined) return await this.#start(context);
    const next = running.then(
      () => this.#start(context, true),
      () => this.#start(context, true),
    );
    this.#next.set(root, next);
    return await next;
  }

  async #start(context: ToolContext, fromNext = false): Promise<readonly ScriptEnd[]> {
    const { root } = context;
    if (fromNext) this.#next.delete(root);
    // A run serves several calls: the end of one does not end it. Each script has its own time limit.
    const output: ToolContext['output'] = (chunk) => {
      if (!context.signal.aborted) context.output(chunk);
    };
    const run = this.#runAll({ ...context, output, signal: new AbortController().signal }).finally(() => {
      if (this.#running.get(root) === run) this.#running.delete(root);
    });
    this.#running.set(root, run);
    return await run;
  }

  async #runAll(context: ToolContext): Promise<readonly ScriptEnd[]> {
    const ends: ScriptEnd[] = [];
    for (const script of this.settings.checks) ends.push(await this.#runOne(script, context));
    return ends;
  }

  async #runOne(script: string, context: ToolContext): Promise<ScriptEnd> {
    try {
      return await withRoot(context.root, (root) => runScript(root, script, context, this.settings.programs));
    } catch (problem) {
      const output = problem instanceof Error ? problem.message : 'unknown problem';
      return { script, passed: false, exit_code: null, timed_out: false, output, truncated: false };
    }
  }
}

const late = (script: string): ScriptEnd => ({
  script,
  passed: false,
  exit_code: null,
  timed_out: true,
  output: '',
  truncated: false,
});
