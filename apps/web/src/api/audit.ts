import { useQuery } from '@tanstack/react-query';
import type { components } from '#lib/client';
import type { PackSubject } from '#lib/verifier';
import { packOf } from './client.js';
import { queryOf } from './query.js';

/** An entry of the audit log. */
export type AuditEntry = components['schemas']['AuditEntry'];

/** The latest signed checkpoint. */
export const useCheckpoint = () => useQuery({ ...queryOf('/v1/audit/checkpoint'), staleTime: 5_000 });

/** The public keys that checkpoints are signed with, as this server says. Only roles that open the audit log read them. */
export const useAuditKeys = (enabled: boolean) => useQuery({ ...queryOf('/v1/audit/keys'), enabled });

/** The evidence pack of a plan, a change or a session, byte for byte. */
export const fetchPack = ({ type, id }: PackSubject): Promise<Uint8Array<ArrayBuffer>> => packOf(PATHS[type], id);

const PATHS = {
  plan: '/v1/plans/{id}/evidence',
  change_request: '/v1/change-requests/{id}/evidence',
  session: '/v1/sessions/{id}/evidence',
  automation_run: '/v1/automation-runs/{id}/evidence',
} as const;

/** Hands bytes to the person as a file. */
export function download(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
