import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleSubject } from '../application/fake-subject.js';
import { RevisionFacts, type ReadToolVersion } from './revision-facts.js';

const { plan, facts, registry } = sampleSubject(sampleTenant(), 0);
const expansion = { digest: plan.digest, plan: plan.expanded, text: '' };

const reading = (): { readonly read: ReadToolVersion; readonly names: string[] } => {
  const names: string[] = [];
  const read: ReadToolVersion = (name, version) => {
    names.push(`${name}@${String(version)}`);
    return Promise.resolve(registry.tools.get(name) ?? null);
  };
  return { read, names };
};

describe('the facts of a revision', () => {
  it('are those of its plan and of the tool versions that it holds, each read once', async () => {
    const { read, names } = reading();
    const known = await new RevisionFacts().of(plan.id, expansion, read);
    expect(known).toEqual({ plan: facts.plan, tools: facts.tools });
    expect(names).toEqual(['execute_rollout_prod@1']);
  });

  it('are null while a tool version of the plan is missing', async () => {
    const none: ReadToolVersion = () => Promise.resolve(null);
    await expect(new RevisionFacts().of(plan.id, expansion, none)).rejects.toThrow('the plan holds execute_rollout');
  });

  it('are made once for a plan that cannot change, and again for any other', async () => {
    const { read, names } = reading();
    const revisions = new RevisionFacts();
    const frozen = { ...expansion, plan: Object.freeze({ ...plan.expanded }) };
    const first = await revisions.of(plan.id, frozen, read);
    expect(await revisions.of(plan.id, frozen, read)).toBe(first);
    expect(names).toHaveLength(1);
    expect(await revisions.of(plan.id, expansion, read)).not.toBe(await revisions.of(plan.id, expansion, read));
    expect(names).toHaveLength(3);
  });
});
