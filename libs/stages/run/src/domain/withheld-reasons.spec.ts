import { invocation, succeededStep } from './fake-run-plan.js';
import type { RunReason } from './run.js';
import { stepFacts } from './step-reasons.js';
import {
  altered,
  frozen,
  notAllowed,
  otherLine,
  otherPaths,
  reviewerDisabled,
  unreachable,
} from './withheld-reasons.js';

const step = succeededStep();
const REASONS = [
  { code: 'test.one', rule: 'test.rule', message: 'The first rule refuses it' },
  { code: 'test.two', rule: 'test.rule', message: 'so does the second' },
];
const UNTIL = Date.UTC(2026, 0, 5, 8);

it.each<[code: string, reason: RunReason, said: string]>([
  ['run.arguments_altered', altered(step), '"step 1" would call is not what its digest says'],
  ['run.line_differs', otherLine(step), 'command line of step "step 1" is read otherwise'],
  ['run.paths_differ', otherPaths(step), 'paths of step "step 1" are judged worse'],
  ['run.reviewer_disabled', reviewerDisabled(step), 'has been disabled since'],
  ['run.executor_unavailable', unreachable(step, invocation('deploy', ['a'])), 'for step "step 1"'],
])('the reason %s names the step whose call is withheld', (code, reason, said) => {
  expect(reason).toEqual({ code, message: expect.stringContaining(said) as string, details: stepFacts(step) });
});

it('a call without an executor names the executor that is missing', () => {
  const asked = invocation('deploy', ['a']);
  expect(unreachable(step, asked).message).toContain(`no executor "${asked.executor.name}"`);
});

it('a refusal of policy carries all of its reasons', () => {
  expect(notAllowed(step, REASONS)).toEqual({
    code: 'run.not_allowed',
    message: expect.stringMatching(/"step 1" go on: The first rule refuses it; so does the second$/) as string,
    reasons: REASONS,
    details: stepFacts(step),
  });
});

it('a freeze carries its reasons and its end', () => {
  expect(frozen(step, REASONS, UNTIL)).toEqual({
    code: 'freeze.active',
    message: expect.stringContaining('next phase: The first rule refuses it; so does the second.') as string,
    reasons: REASONS,
    details: { ...stepFacts(step), until: '2026-01-05T08:00:00.000Z' },
  });
});
