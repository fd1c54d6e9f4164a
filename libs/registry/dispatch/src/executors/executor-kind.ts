import type { z } from 'zod';
import type { ExecutorDocument, OwnExecutorSettings } from '#lib/formats';
import type { FieldError, Result } from '#lib/kernel';
import type { KeptAnswers } from '../application/kept-answers.port.js';
import type { RunnerCalls } from '../application/runner-calls.port.js';
import type { SecretResolver } from '../application/secret-resolver.port.js';
import type { IssueGrant } from '../application/issue-grant.js';
import type { ToolDispatcher } from '../application/tool-dispatcher.port.js';
import type { OutboundAgents } from '../adapters/tenant-agents.js';

/** The parts of the way out that a kind may use. */
export interface WayOut {
  readonly issueGrant: Pick<IssueGrant, 'execute'>;
  readonly secrets: SecretResolver;
  readonly agents: OutboundAgents;
  readonly runnerCalls: RunnerCalls;
}

/** The operator's rule for a host, by its name alone. Each connection checks the address again (T31). */
export type AddressVerdict = 'public' | 'allowed' | 'refused';

/** The settings of an executor that its version stores. A kind decides which of them it has. */
export interface ExecutorSettings {
  readonly url: string | null;
  readonly secret: string | null;
  /** The other settings of its kind, as the schema of the kind parsed them. */
  readonly settings: OwnExecutorSettings;
}

/** The settings of a document; `settings` holds those that the schema of the kind has parsed. */
export interface WantedSettings extends Pick<ExecutorDocument, 'url' | 'secret'> {
  readonly settings: OwnExecutorSettings;
}

/** One kind of executor. Each has a folder here, and a line in the registry. */
export interface ExecutorKind {
  /** The `kind` of its documents. It never changes: stored versions and approvals name it. */
  readonly name: string;
  /** One line for people who choose a kind. */
  readonly title: string;
  /** `agent`: the agent that submitted the plan fetches the call, carries it out and reports. */
  readonly answeredBy: 'executor' | 'agent';
  /**
   * The settings that its documents have beside kind and audience. Forms and flags are built from their JSON Schema. A setting
   * other than `url` and `secret` is text, a number or a boolean.
   */
  readonly settings: z.ZodObject;
  /** Checks the address and the secret of a document. Pointers point into the document. */
  read(
    document: WantedSettings,
    verdict: (hostname: string, port: number) => AddressVerdict,
  ): Result<Pick<ExecutorSettings, 'url' | 'secret'>, readonly FieldError[]>;
  /**
   * The pool of runners that carry its calls out in a workspace. Each call is in the folder of its session, and a
   * command line is behind a snapshot. Null if its calls have neither.
   */
  workspacePool(settings: OwnExecutorSettings): string | null;
  /** The destination of its calls, for people. */
  destination(settings: ExecutorSettings): string;
  dispatcher(out: WayOut): ToolDispatcher;
  /** The answers to its calls that it keeps in rows. Absent if only the worker that sent a call hears its answer. */
  keptAnswers?(out: WayOut): KeptAnswers;
}

/** The kinds that an installation has. */
export type ExecutorKinds = readonly ExecutorKind[];

export const kindNamed = (kinds: ExecutorKinds, name: string): ExecutorKind | undefined =>
  kinds.find((kind) => kind.name === name);

/** The pool in whose workspaces the calls of an executor run; null if they run in none. */
export const workspacePoolOf = (
  kinds: ExecutorKinds,
  { kind, settings }: { readonly kind: string; readonly settings: OwnExecutorSettings },
): string | null => kindNamed(kinds, kind)?.workspacePool(settings) ?? null;
