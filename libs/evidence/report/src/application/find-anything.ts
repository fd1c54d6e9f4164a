import type { FindingView } from '#lib/api-schemas';
import type { TenantId, UnitOfWork } from '#lib/kernel';
import type { FindingReader } from './report.ports.js';

/** Finds tasks, plans, requests, runs, incidents, people, agents and tools by a word, a name or part of an id. */
export class FindAnything {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reader: FindingReader,
  ) {}

  execute(tenantId: TenantId, text: string, most: number): Promise<readonly FindingView[]> {
    return this.uow.run(tenantId, (tx) => this.reader.find(tx, text, most));
  }
}
