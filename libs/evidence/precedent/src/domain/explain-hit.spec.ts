import { newId, type AgentId, type EnvironmentId, type PersonId } from '#lib/kernel';
import { explainHit } from './explain-hit.js';
import { asAgentSees, type Precedent } from './precedent.js';

const agentId = newId<AgentId>();
const found: Precedent = {
  id: newId(),
  requestId: null,
  runId: null,
  incidentId: null,
  subject: { type: 'plan', id: newId() },
  taskId: null,
  environmentId: newId<EnvironmentId>(),
  environment: 'production',
  agentId,
  personId: null,
  submittedBy: 'deployer',
  approvedBy: [{ id: newId<PersonId>(), name: 'Sam' }],
  endedAs: 'rolled_back',
  unknownEffects: 0,
  effects: 0,
  because: 'Sam found errors',
  tools: ['execute_rollout_prod'],
  argumentKeys: ['image', 'targets'],
  targets: ['web-01', 'web-02', 'web-03'],
  targetCount: 3,
  phases: 'all',
  headline: 'Rollout',
  goal: 'Patch the servers',
  openedAt: 0,
  endedAt: 1,
  erased: false,
};
const asked = {
  tools: ['execute_rollout_prod'],
  environment: 'staging',
  argumentKeys: ['image', 'canary'],
  targets: ['web-02', 'web-09'],
};

describe('a hit', () => {
  it('names equal and different parts', () => {
    expect(explainHit(asked, found, ['patch'])).toEqual({
      equal: ['the same tool execute_rollout_prod', 'argument image', '1 of 2 targets: web-02', 'the word patch'],
      different: ['in production', 'without argument canary', 'with argument targets', '2 other targets'],
    });
  });

  it('is compared with the parts of the question alone', () => {
    expect(explainHit({ tools: [], environment: null, argumentKeys: [], targets: [] }, found, [])).toEqual({
      equal: [],
      different: [],
    });
  });
});

describe('an agent', () => {
  it('sees its own goal, and no words or names of others', () => {
    expect(asAgentSees(found, agentId)).toMatchObject({ goal: 'Patch the servers', because: null, approvedBy: [] });
  });

  it('sees structure and outcome of another agent alone', () => {
    const seen = asAgentSees(found, newId<AgentId>());
    expect(seen).toMatchObject({ goal: null, because: null, submittedBy: null, agentId: null, approvedBy: [] });
    expect(seen).toMatchObject({ tools: found.tools, targets: found.targets, endedAs: 'rolled_back' });
  });
});
