import { newId, type AgentId, type EnvironmentId, type PersonId } from '#lib/kernel';
import { explainHit, namedTargets, type Asked } from './explain-hit.js';
import { asAgentSees, type Precedent } from './precedent.js';
import { NO_WORDS } from './shared-words.js';

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
  goalIsOwn: true,
  openedAt: 0,
  endedAt: 1,
  erased: false,
};
const sharing = (...words: readonly string[]) => ({ ...NO_WORDS, words });
const asked: Asked = {
  text: '',
  tools: ['execute_rollout_prod'],
  environment: 'staging',
  argumentKeys: ['image', 'canary'],
  targets: ['web-02', 'web-09'],
};

describe('a hit', () => {
  it('names equal and different parts', () => {
    expect(explainHit(asked, found, sharing('patch'))).toEqual({
      equal: ['the same tool execute_rollout_prod', 'argument image', '1 of 2 targets: web-02', 'the word patch'],
      different: ['in production', 'without argument canary', 'with argument targets', '2 other targets'],
    });
  });

  it('says in one phrase that the whole shape is equal', () => {
    const shape = { tools: found.tools, environment: 'production', argumentKeys: ['targets', 'image'] };
    expect(explainHit({ ...asked, ...shape }, found, sharing('image', 'patch', 'production')).equal).toEqual([
      'the same tools, environment and arguments',
      '1 of 2 targets: web-02',
      'the word patch',
    ]);
  });

  const nothing: Asked = { text: '', tools: [], environment: null, argumentKeys: [], targets: [] };

  it('names words of the goal alone if the shape is equal, since steps repeat it', () => {
    const shape = { tools: found.tools, environment: found.environment, argumentKeys: found.argumentKeys, targets: [] };
    const question = { ...shape, text: 'Patch them rollout-canary', goal: 'Patch, please' };
    const same = 'the same tools, environment and arguments';
    expect(explainHit(question, found, sharing('patch', 'rollout-canary')).equal).toEqual([same, 'the word patch']);
    const elsewhere = { ...question, environment: 'staging' };
    expect(explainHit(elsewhere, found, sharing('patch', 'rollout-canary')).equal).toContain(
      'the words patch, rollout-canary',
    );
  });

  it('names spellings that are similar, but none of values in one shape', () => {
    const similar = [{ said: 'opnssl', found: ['openssl'] }];
    const shared = { ...NO_WORDS, similar };
    expect(explainHit({ ...nothing, text: 'opnssl' }, found, shared).equal).toEqual([
      'a spelling similar to opnssl: openssl',
    ]);
    const shape = { tools: found.tools, environment: found.environment, argumentKeys: found.argumentKeys };
    expect(explainHit({ ...nothing, ...shape, text: 'opnssl' }, found, shared).equal).toEqual([
      'the same tools, environment and arguments',
    ]);
  });

  it('names words that many precedents have only if nothing else is equal', () => {
    const common = ['servers', 'web'];
    const text = 'patch the web servers';
    expect(explainHit({ ...nothing, text }, found, { ...NO_WORDS, common }).equal).toEqual(['the words servers, web']);
    expect(explainHit({ ...nothing, text }, found, { ...sharing('patch'), common }).equal).toEqual(['the word patch']);
    const tool = { ...nothing, text, tools: found.tools };
    expect(explainHit(tool, found, { ...NO_WORDS, common }).equal).toEqual(['the same tool execute_rollout_prod']);
  });

  it('names no target of the question as a word, since targets are compared as such', () => {
    const question = { ...nothing, text: 'patch web-09', targets: ['web-09'] };
    expect(explainHit(question, found, sharing('web-09', 'patch')).equal).toEqual(['the word patch']);
  });

  it('is compared with the parts of the question alone', () => {
    expect(explainHit(nothing, found, sharing())).toEqual({ equal: [], different: [] });
  });

  it('names a target of the text once, as a target', () => {
    const text = 'patch (WEB-02), please';
    expect(explainHit({ ...nothing, text }, found, sharing('web-02', 'patch'))).toEqual({
      equal: ['the target web-02', 'the word patch'],
      different: [],
    });
    expect(namedTargets({ ...nothing, text: 'web web-0' }, found.targets)).toEqual([]);
  });
});

describe('an agent', () => {
  it('sees its own goal, and no words or names of others', () => {
    expect(asAgentSees(found, agentId, [])).toMatchObject({
      ...{ id: found.id, goal: 'Patch the servers', because: null, approvedBy: [], targets: found.targets },
    });
  });

  it('sees no goal that a person wrote', () => {
    expect(asAgentSees({ ...found, goalIsOwn: false }, agentId, [])).toMatchObject({ id: found.id, goal: null });
  });

  it('sees structure and outcome of another agent alone', () => {
    const seen = asAgentSees({ ...found, taskId: newId(), runId: newId() }, newId<AgentId>(), ['web-02']);
    expect(seen).toMatchObject({ goal: null, because: null, submittedBy: null, agentId: null, approvedBy: [] });
    expect(seen).toMatchObject({ tools: found.tools, targets: ['web-02'], targetCount: 3, endedAs: 'rolled_back' });
    expect(seen).toMatchObject({
      id: null,
      requestId: null,
      runId: null,
      incidentId: null,
      taskId: null,
      headline: null,
    });
    expect(seen.subject).toEqual({ type: 'plan', id: null });
  });
});
