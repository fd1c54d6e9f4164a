import type { ExpandedPlan } from '#lib/formats';
import type { PlanId } from '#lib/kernel';
import { type Expansion, invocationsOf, planFacts, type PlanPolicyFacts } from '#lib/plan';
import type { ToolVersion } from '#lib/tool';

/** Reads a tool version that the plan was expanded with. */
export type ReadToolVersion = (name: string, version: number) => Promise<ToolVersion | null>;

/** The facts of revisions for policy. Each is made once: neither a revision nor the tool versions that it holds change. */
export class RevisionFacts {
  readonly #facts = new WeakMap<ExpandedPlan, PlanPolicyFacts>();

  async of(id: PlanId, { digest, plan: expanded }: Expansion, read: ReadToolVersion): Promise<PlanPolicyFacts> {
    const known = this.#facts.get(expanded);
    if (known !== undefined) return known;
    const held = new Map(invocationsOf(expanded).map(({ tool }) => [tool.name, tool.version]));
    const versions: ToolVersion[] = [];
    for (const [name, version] of held) {
      const found = await read(name, version);
      if (found !== null) versions.push(found);
    }
    const facts = planFacts({ id, digest, expanded }, versions);
    if (Object.isFrozen(expanded)) this.#facts.set(expanded, facts);
    return facts;
  }
}
