import type { LoggedEvent, LogExporter, TenantId, UnitOfWork } from '#lib/kernel';
import { tellsOfCall, type ReportedCalls } from '#lib/webhook';
import { ocsfLine } from '../domain/ocsf-line.js';
import type { OcsfSink } from './siem.ports.js';

/** Sends the events of a log to one destination, a line each, as OCSF describes them. */
export class ExportOcsf implements LogExporter {
  /** @param slugOf the name of a tenant in addresses. */
  constructor(
    readonly name: string,
    private readonly uow: UnitOfWork,
    private readonly calls: ReportedCalls,
    private readonly slugOf: (tenantId: TenantId) => Promise<string>,
    private readonly sink: OcsfSink,
  ) {}

  async export(tenantId: TenantId, events: readonly LoggedEvent[]): Promise<void> {
    const ofCalls = events.filter(tellsOfCall);
    const calls =
      ofCalls.length === 0
        ? new Map<string, never>()
        : await this.uow.run(tenantId, (tx) => this.calls.of(tx, ofCalls));
    const tenant = { id: tenantId, slug: await this.slugOf(tenantId) };
    const lines = events.flatMap((event) => ocsfLine(tenant, event, calls.get(event.id)) ?? []);
    if (lines.length > 0) await this.sink.write(tenantId, lines);
  }
}
