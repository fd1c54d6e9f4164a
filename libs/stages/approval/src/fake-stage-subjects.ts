import type { PolicyDecisionPoint } from '#lib/policy';
import { StagePlanSubjects } from './adapters/stage-plan-subjects.js';
import { FakeSubjectFacts } from './application/fake-subject-facts.js';

/** The subjects of plans, gathered from the fakes of the earlier stages. */
export const fakeStageSubjects = (
  policy: PolicyDecisionPoint,
  sources: ConstructorParameters<typeof FakeSubjectFacts>[0],
): StagePlanSubjects => new StagePlanSubjects({ policy, facts: new FakeSubjectFacts(sources) });
