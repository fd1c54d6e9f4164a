import { inPlan, type SubjectRef } from '#lib/kernel';
import type { RunFacts } from './run.js';

/** A run in its plan and task, outermost first. */
export const inRun = (run: Pick<RunFacts, 'id' | 'planId' | 'taskId'>): readonly SubjectRef[] => [
  ...inPlan(run),
  { type: 'run', id: run.id },
];
