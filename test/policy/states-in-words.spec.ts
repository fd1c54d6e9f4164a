import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAN_STATUSES, RUN_STATES } from '#lib/formats';
import { type Entrypoint, POLICY_INPUTS, reviewInputSchema } from '#lib/policy-inputs';
import { packageRoot } from '#lib/database';
import { minutesInWords, stateInWords } from '#lib/words';
import { loadPolicyEngine } from '#lib/policy';

type Input = Record<string, Record<string, unknown>>;

const policies = join(packageRoot(), 'policies');
const engine = loadPolicyEngine();

/** The input of the first fixture of an area; each test changes one fact of it. */
function inputOf(file: string, area = file): Input {
  const text = readFileSync(join(policies, 'fixtures', `${file}.json`), 'utf8');
  const input = (JSON.parse(text) as Record<string, { input: Input }[]>)[area]?.[0]?.input;
  if (input === undefined) throw new Error(`${file}.json has no fixture of ${area}`);
  return input;
}

function messagesOf(entrypoint: Entrypoint, input: Input): string[] {
  const { decision } = engine.evaluate(entrypoint, POLICY_INPUTS[entrypoint].parse(input));
  return decision.reasons.map(({ message }) => message);
}

describe('policies say states by the words of the pages', () => {
  const closed = reviewInputSchema.shape.request.shape.state.options.filter((state) => state !== 'open');

  it.each(closed)('a request that is %s', (state) => {
    const input = inputOf('review');
    expect(messagesOf('review', { ...input, request: { ...input.request, state } })).toContain(
      `The request is no longer open: ${stateInWords(state)}`,
    );
  });

  it.each(RUN_STATES.filter((state) => state !== 'executing'))('a run that is %s', (state) => {
    const input = inputOf('run_step');
    expect(messagesOf('run_step', { ...input, run: { ...input.run, state } })).toContain(
      `The run's state is ${stateInWords(state)}`,
    );
  });

  const POSSIBLE: readonly string[] = ['validated', 'simulated', 'awaiting_approval'];

  it.each(PLAN_STATUSES.filter((status) => !POSSIBLE.includes(status)))('a plan that is %s', (status) => {
    expect(messagesOf('break_glass', { ...inputOf('break_glass'), plan_status: status as never })).toContain(
      `Break-glass cannot execute this plan: its status is ${stateInWords(status)}`,
    );
  });
});

describe('policies say limits as the pages do', () => {
  it.each([1, 50, 60, 90, 1_440, 3_121, 43_200])('%d minutes', (minutes) => {
    const input = inputOf('run_step');
    const obligations = { ...(input.approved?.obligations as object), valid_minutes: 100_000 };
    const document = input.autonomy?.autonomy as object;
    expect(
      messagesOf('run_step', {
        ...input,
        autonomy: { autonomy: { ...document, approval_valid_minutes: minutes } },
        approved: { ...input.approved, obligations },
      }),
    ).toContain(
      `Policy has become stricter since the approval: an approval is good for ${minutesInWords(minutes)} instead of ${minutesInWords(100_000)}`,
    );
  });
});
