import type { DecisionId, Digest, PlanId, SimulationId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import { beginSimulation, LEASE_MS, MAX_ATTEMPTS, waitAfterError } from './begin-simulation.js';
import type { Simulation, SimulationOutput } from './simulation.js';
import { validMinutesIn } from './valid-minutes.js';

const NOW = 1_000_000;
const record = {
  id: 's' as SimulationId,
  planId: 'p' as PlanId,
  planDigest: 'sha256:0' as Digest,
  decisionId: 'd' as DecisionId,
  submitter: { kind: 'agent' } as Submitter,
  fence: 3,
  createdAt: 0,
};
const output = {} as SimulationOutput;
const reason = { code: 'x.y', message: 'z' };
const states = (nextAt: number | null): readonly Simulation[] => [
  { ...record, nextAt, state: 'pending' },
  { ...record, nextAt, state: 'running', startedAt: 5 },
  { ...record, nextAt, state: 'succeeded', startedAt: 5, finishedAt: 6, output },
  { ...record, nextAt, state: 'failed', startedAt: 5, finishedAt: 6, failure: reason },
  { ...record, nextAt, state: 'stale', startedAt: 5, finishedAt: 6, output, staleReason: reason },
];

it.each([
  ['due', NOW, ['compute', 'compute', 'check_age', 'nothing', 'nothing']],
  ['not due yet', NOW + 1, ['nothing', 'nothing', 'nothing', 'nothing', 'nothing']],
  ['with nothing left to do', null, ['nothing', 'nothing', 'nothing', 'nothing', 'nothing']],
])('each state, %s', (_when, nextAt, expected) => {
  expect(states(nextAt).map((simulation) => beginSimulation(simulation, NOW).kind)).toEqual(expected);
});

it('an attempt gets a fence and a lease of its own, and keeps the time of the first', () => {
  const [pending, running] = states(NOW).map((simulation) => beginSimulation(simulation, NOW));
  expect(pending).toMatchObject({ running: { fence: 4, nextAt: NOW + LEASE_MS, startedAt: NOW } });
  expect(running).toMatchObject({ running: { fence: 4, nextAt: NOW + LEASE_MS, startedAt: 5 } });
});

it('is given up after too many', () => {
  const tired: Simulation = { ...record, fence: MAX_ATTEMPTS, nextAt: NOW, state: 'running', startedAt: 5 };
  expect(beginSimulation(tired, NOW).kind).toBe('give_up');
});

it.each([
  [null, 'production', 1_440],
  [{ autonomy: { mode: 'full_auto' as const } }, 'production', 1_440],
  [{ autonomy: { mode: 'full_auto' as const, simulation_valid_minutes: 30 } }, 'production', 30],
  [
    {
      autonomy: {
        mode: 'full_auto' as const,
        simulation_valid_minutes: 30,
        environments: { production: { simulation_valid_minutes: 10 } },
      },
    },
    'production',
    10,
  ],
  [
    {
      autonomy: {
        mode: 'full_auto' as const,
        simulation_valid_minutes: 30,
        environments: { production: { simulation_valid_minutes: 10 } },
      },
    },
    'staging',
    30,
  ],
])('with the document %j a result in %s counts for %i minutes', (document, environment, minutes) => {
  expect(validMinutesIn(document, environment)).toBe(minutes);
});

it('the waits after errors grow to eight seconds, and all attempts outlast two minutes', () => {
  const waits = Array.from({ length: MAX_ATTEMPTS }, (_, index) => waitAfterError(index + 1));
  expect(waits.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
  expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(2 * 60_000);
});
