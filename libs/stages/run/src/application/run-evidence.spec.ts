import { fine, newHost, phase, step, until } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';
import { attemptDocument, runDocument } from '../domain/evidence-documents.js';
import { requireState } from '../domain/run.js';
import { isFinishedAttempt } from '../domain/step-attempt.js';
import { RunEvidence } from './run-evidence.js';

const world = worldOfTest();

it('is every attempt that has ended, and every run that has', async () => {
  const planId = await world().plan({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
  const evidence = () => world().tx((tx) => new RunEvidence(world().runs).collect(tx, planId));
  expect(await evidence()).toEqual([]);
  let answer: (() => void) | undefined;
  world().behave(({ attempt }) =>
    world().calls.length === 2 && attempt === 1
      ? new Promise((resolve) => {
          answer = () => {
            resolve(fine);
          };
        })
      : fine,
  );
  const started = await world().parts.start.execute(world().agent, planId);
  if (!started.ok) throw new Error(started.error.code);
  const { id } = started.value;
  const settled = world().settle(id);
  await until(() => answer !== undefined);
  const [first] = (await world().attempts(id)).filter(isFinishedAttempt);
  if (first === undefined) throw new Error('no attempt');
  expect(await evidence()).toEqual([{ kind: 'attempt', id: first.id, document: attemptDocument(first) }]);
  answer?.();
  const run = await settled;
  const attempts = (await world().attempts(id)).filter(isFinishedAttempt);
  expect(attempts).toHaveLength(2);
  const document = await world().tx(async (tx) =>
    runDocument(
      requireState(run, 'completed'),
      await world().runs.steps(tx, id),
      await world().runs.healthResults(tx, id),
    ),
  );
  expect(await evidence()).toEqual([
    ...attempts.map((attempt) => ({ kind: 'attempt', id: attempt.id, document: attemptDocument(attempt) })),
    { kind: 'run', id, document },
  ]);
});
