import { setTimeout as delay } from 'node:timers/promises';
import { HOOK_TOOL, type AdvertisedMcpServer } from '#lib/formats';
import { backOffMs } from './back-off.js';
import { answerAfterDeath, type JournalEntry } from './call-journal.js';
import { carryOut, type CarryOutParts } from './carry-out.js';
import type { SessionFolders } from './session-folders.js';
import { PlaneError, type Introduction, type OfferedCall, type Plane } from './plane.js';

/** Takes the log lines of a runner. */
export interface RunnerLog {
  readonly info: (facts: object, message: string) => void;
  readonly warn: (facts: object, message: string) => void;
}

export interface RunnerParts extends CarryOutParts {
  readonly plane: Pick<Plane, 'hello' | 'take' | 'output' | 'result' | 'goodbye'>;
  /** The reason why a snapshot of the whole workspace would not be complete now; null if it would. */
  readonly noWayBack: () => Promise<string | null>;
  readonly atOnce: number;
  /** The environments that `verify` lets through. */
  readonly worksIn: readonly string[];
  /** The names of the programs for lifecycle hooks. */
  readonly hooks: readonly string[];
  /** The MCP servers of its operator, as they were at the last look. */
  readonly mcpServers: () => readonly AdvertisedMcpServer[];
  /** The folders of agents' sessions. */
  readonly sessions: Pick<SessionFolders, 'sessions' | 'remove'>;
  readonly version: string;
  readonly log: RunnerLog;
}

/** The interval at which a runner that can take no further call says hello. So it counts as online. */
const HELLO_MS = 20_000;
/** The interval at which the runner measures its workspace and reports the size. */
const MEASURE_MS = 5 * 60_000;
/** The most calls that a request for a call names; the newest are named. */
const MAX_HELD = 64;
const HELD_AGAIN_MS = 1_000;

/** Takes calls of its pool, carries them out, and reports. It works on without Countersign, and reports later. */
export class Runner {
  readonly #revoked = new AbortController();
  readonly #ended = new AbortController();
  #greeted = false;
  /** The MCP servers that Countersign heard of. */
  #said: readonly AdvertisedMcpServer[] = [];
  /** The last measure of the workspace, with its time on the clock of the process. */
  #measured: { readonly at: number; readonly noWayBack: string | null } | null = null;
  readonly #working = new Set<Promise<void>>();
  readonly #reporting = new Set<Promise<void>>();

  constructor(private readonly parts: RunnerParts) {}

  /** Aborted once Countersign has said that this runner is revoked. */
  get revoked(): AbortSignal {
    return this.#revoked.signal;
  }

  /** Works until `stopping` aborts or it is revoked, then waits for the calls that it holds, and says goodbye. */
  async run(stopping: AbortSignal): Promise<void> {
    const over = AbortSignal.any([stopping, this.#revoked.signal]);
    await this.#recover();
    let failures = 0;
    while (!over.aborted) {
      try {
        // After a silence Countersign may know nothing of this version.
        if (failures > 0 || !this.#greeted || this.#isToMeasure() || this.#hasNews()) await this.#hello();
        await this.#turn(over);
        failures = 0;
      } catch (error) {
        failures += 1;
        // A take that ends with the runner is no failure.
        if (!(await this.#pauseAfter(error, failures, over))) break;
      }
    }
    await Promise.allSettled([...this.#working]);
    // The next start reports the answers that cannot be reported now.
    await Promise.race([Promise.allSettled([...this.#reporting]), delay(REPORT_WITHIN_MS, undefined, { ref: false })]);
    this.#ended.abort();
    await this.#goodbye();
  }

  /** @returns false if the runner ends. */
  async #pauseAfter(error: unknown, failures: number, over: AbortSignal): Promise<boolean> {
    if (!over.aborted) this.#noteRefusal(error);
    await delay(backOffMs(failures), undefined, { signal: over }).catch(() => undefined);
    return !over.aborted;
  }

  /** The calls of an earlier process of this runner. None of them starts again. */
  async #recover(): Promise<void> {
    for (const entry of this.parts.journal.held) {
      const ended: JournalEntry = { ...entry, state: 'ended', answer: answerAfterDeath(entry) };
      await this.parts.journal.write(ended);
      this.#report(entry.id);
    }
  }

  async #turn(over: AbortSignal): Promise<void> {
    const { plane, journal, atOnce } = this.parts;
    if (this.#working.size >= atOnce) {
      const waited = await Promise.race([
        ...[...this.#working].map((each) => each.then(() => 'free' as const)),
        delay(HELLO_MS, 'busy' as const, { signal: over, ref: false }),
      ]);
      if (waited === 'busy') await this.#hello();
      return;
    }
    const held = journal.held.slice(-MAX_HELD).map(({ id }) => id);
    const offered = await plane.take(held, over);
    if (offered === null) return;
    if (!journal.has(offered.id)) this.#begin(offered);
    // Countersign offers a call again that it does not know to be held.
    else await delay(HELD_AGAIN_MS, undefined, { signal: over });
  }

  #begin(offered: OfferedCall): void {
    const { log } = this.parts;
    log.info({ call_id: offered.id, tool: offered.request.tool }, 'took a call');
    const working = carryOut(this.parts, offered, this.#revoked.signal)
      .catch((error: unknown) => {
        log.warn({ call_id: offered.id, err: error }, 'the journal cannot be written; the answer is in memory alone');
      })
      .then(() => {
        this.#report(offered.id);
      })
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  #report(id: string): void {
    const reporting = this.#reportUntilTaken(id).finally(() => this.#reporting.delete(reporting));
    this.#reporting.add(reporting);
  }

  async #reportUntilTaken(id: string): Promise<void> {
    const { plane, journal, log } = this.parts;
    const over = AbortSignal.any([this.#revoked.signal, this.#ended.signal]);
    for (let failures = 0; !over.aborted;) {
      const answer = journal.held.find((entry) => entry.id === id)?.answer;
      if (answer == null) return;
      try {
        await plane.result(id, answer);
        await journal.remove(id);
        log.info({ call_id: id, ok: answer.ok }, 'reported a call');
        return;
      } catch (error) {
        this.#noteRefusal(error);
        if (error instanceof PlaneError && !error.again) {
          // Countersign does not know the call, or refuses the answer for good: a person looks at the step.
          if (error.code !== 'runner.revoked') await journal.remove(id);
          return;
        }
        failures += 1;
        await delay(backOffMs(failures), undefined, { signal: over }).catch(() => undefined);
      }
    }
  }

  /** Without an answer Countersign takes this runner for offline after a minute. */
  async #goodbye(): Promise<void> {
    if (this.#revoked.signal.aborted) return;
    await this.parts.plane.goodbye(AbortSignal.timeout(GOODBYE_WITHIN_MS)).catch((error: unknown) => {
      this.#noteRefusal(error);
    });
  }

  async #hello(): Promise<void> {
    const { plane, tools, version, worksIn, hooks, noWayBack, sessions, log } = this.parts;
    const mcpServers = this.parts.mcpServers();
    if (this.#measured === null || this.#isToMeasure())
      this.#measured = { noWayBack: await noWayBack(), at: performance.now() };
    const introduction: Introduction = {
      version,
      // Hooks are no tool that an agent could call.
      tools: [...tools.values()]
        .filter(({ name }) => name !== HOOK_TOOL)
        .map(({ name, parameters }) => ({ name, parameters })),
      worksIn,
      hooks,
      mcpServers,
      noWayBack: this.#measured.noWayBack,
      sessions: await sessions.sessions(),
    };
    const { environments: addedFor, endedSessions } = await plane.hello(introduction).catch((error: unknown) => {
      if (!isRefused(error) || mcpServers.length === 0) throw error;
      // The words of a server must not keep the tools of the runner and of other servers from their calls.
      log.warn({ code: error.code, err: error }, 'Countersign refused the definitions of the MCP servers');
      const without = mcpServers.map(({ name }) => ({ name, problem: REFUSED_DEFINITIONS, tools: [] }));
      return plane.hello({ ...introduction, mcpServers: without });
    });
    await sessions.remove(endedSessions).catch((error: unknown) => {
      log.warn({ err: error }, 'folders of ended sessions cannot be removed');
    });
    if (!this.#greeted) this.#warnOfMismatch(addedFor);
    this.#greeted = true;
    this.#said = mcpServers;
  }

  /** Countersign gives a runner calls of those environments that are in both lists. */
  #warnOfMismatch(addedFor: readonly string[]): void {
    const { worksIn, log } = this.parts;
    const notAdded = worksIn.filter((name) => !addedFor.includes(name));
    const notHere = addedFor.filter((name) => !worksIn.includes(name));
    if (notAdded.length > 0) log.warn({ environments: notAdded }, NOT_ADDED);
    if (notHere.length > 0) log.warn({ environments: notHere }, NOT_HERE);
  }

  /** Whether a look found the MCP servers to be others than Countersign heard. */
  #hasNews(): boolean {
    const now = this.parts.mcpServers();
    return now !== this.#said && JSON.stringify(now) !== JSON.stringify(this.#said);
  }

  #isToMeasure(): boolean {
    return this.#measured !== null && performance.now() - this.#measured.at > MEASURE_MS;
  }

  #noteRefusal(error: unknown): void {
    if (error instanceof PlaneError) {
      this.parts.log.warn({ code: error.code, action: error.action }, error.message);
      if (error.code === 'runner.revoked') this.#revoked.abort();
      return;
    }
    this.parts.log.warn({ err: error }, 'a request to Countersign failed');
  }
}

const isRefused = (error: unknown): error is PlaneError =>
  error instanceof PlaneError && !error.again && error.code !== 'runner.revoked';

const REFUSED_DEFINITIONS =
  'Countersign refused the definitions of the servers of this runner. Its log has the reason.';
const NOT_ADDED =
  'this runner was not added for some of its environments, and gets no call of them; add it again with `countersign runner add`, for each of them';
const NOT_HERE =
  'this runner was added for environments that COUNTERSIGN_RUNNER_ENVIRONMENTS does not name, and gets no call of them';

/** How long a runner that ends waits for its last reports. */
const REPORT_WITHIN_MS = 5_000;
const GOODBYE_WITHIN_MS = 2_000;
