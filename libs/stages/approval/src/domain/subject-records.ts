import type { AutonomyFacts } from '#lib/policy-inputs';
import type { AutonomyRevisionId } from '#lib/kernel';
import type { ExecutorRecord, ToolVersion } from '#lib/tool';

/** The tools and executors that a subject names, in force now, by name. */
export interface SubjectRegistry {
  readonly tools: ReadonlyMap<string, ToolVersion>;
  readonly executors: ReadonlyMap<string, ExecutorRecord>;
}

/** The autonomy document in force. */
export interface SubjectAutonomy {
  readonly revisionId: AutonomyRevisionId | null;
  readonly facts: AutonomyFacts | null;
}
