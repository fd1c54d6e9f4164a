import type { z } from 'zod';
import type { ExpandedLine, ToolLevel } from '#lib/formats';
import type { PathFacts, ShellFacts } from '#lib/policy-inputs';

interface Reason {
  readonly code: string;
  readonly message: string;
}

/** An argument as it is sent; a secret by its name. */
export interface ShownArgument {
  readonly name: string;
  readonly value: z.core.util.JSONType;
}

/** One command of a line, or one construct that is judged by itself. Offsets are UTF-16, half open. */
interface ShownPart extends ShellFacts {
  readonly start: number;
  readonly end: number;
  readonly program: string | null;
  readonly reasons: (Reason & { readonly start: number; readonly end: number })[];
}

/** A command line with its verdict: tier and class as the plan holds them, and the reasons for each part. */
export interface ShownLine extends Pick<ExpandedLine, 'argument' | 'shell' | 'tier' | 'class'> {
  readonly command: string;
  readonly parts: ShownPart[];
}

/** Paths that make a call graver than its tool, and why. */
export interface ShownPaths extends PathFacts {
  readonly reasons: Reason[];
}

/** One side of a group of calls: the action of each, or the action that undoes it. */
export interface ShownSide {
  readonly tool: {
    readonly name: string;
    readonly version: number;
    /** The destination of the call. */
    readonly executor: string;
    /** As the registry classifies the tool, or as its command line is judged; `unknown` if the registry no longer says. */
    readonly risk: string;
    readonly effect: string;
    readonly idempotent: boolean;
  };
  /** The command line that every call executes; null if the tool takes none. */
  readonly shell: ShownLine | null;
  /** The verdict on the paths that every call names; null if they are ordinary, or the tool names none. */
  readonly paths: ShownPaths | null;
  /** The other arguments that are the same in every call. */
  readonly arguments: ShownArgument[];
  /** Names of arguments that hold exactly the call's targets. */
  readonly targets_as: string[];
}

interface ShownCall {
  readonly seq: number;
  readonly batch: number;
  readonly targets: string[];
  /** The arguments in which it differs from the others of its group. */
  readonly arguments: ShownArgument[];
  /** The targets of its undo, if they are not those of the call; else null. */
  readonly undo_targets: string[] | null;
  readonly undo_arguments: ShownArgument[];
}

/** Calls of one step that differ in nothing but the content of `calls`. */
export interface ShownStep {
  readonly step_id: string;
  readonly on_failure: 'pause' | 'rollback' | 'retry';
  readonly call: ShownSide;
  /** The call that undoes each; null if nothing does. */
  readonly undo: ShownSide | null;
  /** One call for the environment, for each batch, for each target; or as `calls` lists them. */
  readonly spread: 'environment' | 'batch' | 'target' | 'listed';
  readonly calls: ShownCall[];
}

interface ShownHealthCheck {
  readonly name: string;
  /** `targets_as` names arguments that hold the targets of the batch. */
  readonly call: ShownSide;
  readonly checks: {
    readonly batch: number;
    readonly targets: string[];
    readonly arguments: ShownArgument[];
  }[];
}

export interface ShownPhase {
  readonly number: number;
  readonly name: string;
  readonly canary: boolean;
  readonly batches: { readonly number: number; readonly targets: string[] }[];
  readonly steps: ShownStep[];
  /** The pause after each batch, before its health checks. */
  readonly wait_seconds: number;
  readonly health_checks: ShownHealthCheck[];
  readonly rollback_if: string | null;
}

/** The actions of a plan, for people: from the expanded plan and the registry, never from a submitter's words. */
export interface PlanDescription {
  /** The actions in one line. */
  readonly headline: string;
  /** The level of its riskiest tool. */
  readonly risk: ToolLevel;
  readonly revision: number;
  readonly environment: string;
  /** Distinct. */
  readonly targets: string[];
  readonly phases: ShownPhase[];
}
