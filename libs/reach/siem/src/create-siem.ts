import type { LogExporter, TenantId, UnitOfWork } from '#lib/kernel';
import { SqlReportedCalls } from '#lib/webhook';
import { OcsfFile } from './adapters/ocsf-file.js';
import { ExportOcsf } from './application/export-ocsf.js';

export interface SiemDeps {
  readonly uow: UnitOfWork;
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
}

export interface Siem {
  /** Exports all tenants to a file of the operator. */
  toFile(path: string): LogExporter;
}

/** Exports of the audit log. */
export function createSiem({ uow, slugOf }: SiemDeps): Siem {
  const calls = new SqlReportedCalls();
  return {
    toFile: (path) => new ExportOcsf('ocsf_file', uow, calls, slugOf, new OcsfFile(path)),
  };
}
