import type { SetUpView } from '#lib/api-schemas';
import type { AgentId, Principal, UnitOfWork } from '#lib/kernel';
import { setUp } from '../domain/set-up.js';
import type { SetUpReader } from './report.ports.js';

/**
 * The reason why too few people could approve an agent's requests, one text an environment. Null if nothing there can
 * be approved.
 */
export type ShortagesOfAgent = (reader: Principal, agent: AgentId) => Promise<readonly string[] | null>;

/** A tenant has a handful at first, and each is asked about. */
const MAX_AGENTS = 20;

/** How far a tenant is set up. */
export class ReadSetUp {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reader: SetUpReader,
  ) {}

  async execute(reader: Principal, shortagesOf: ShortagesOfAgent): Promise<SetUpView> {
    const counted = await this.uow.run(reader.tenantId, (tx) => this.reader.count(tx));
    const found: (readonly string[] | null)[] = [];
    for (const { id } of counted.agents.slice(0, MAX_AGENTS)) found.push(await shortagesOf(reader, id));
    const known = found.filter((shortages) => shortages !== null);
    const shortages = found.length > 0 && known.length === 0 ? null : known.flat();
    return setUp({ ...counted, shortages: counted.autonomyRevision === null ? null : shortages });
  }
}
