import { useQuery } from '@tanstack/react-query';
import type { PackSubject } from '#lib/verifier';
import { api } from './client.js';

/** An entry of the audit log, as `GET /v1/audit/entries` shows it. */
export interface AuditEntryView {
  readonly header: {
    readonly id: string;
    readonly occurred_at: string;
    readonly level: string;
    readonly action: string;
    readonly actor: { readonly kind: string; readonly id: string; readonly display_name: string };
    readonly subject: { readonly type: string; readonly id: string };
    readonly within: readonly { readonly type: string; readonly id: string }[];
    readonly decision_id: string | null;
    readonly evidence: readonly { readonly kind: string; readonly id: string; readonly digest: string }[];
    readonly payload_digest: string;
  };
  /** Absent once it was erased. */
  readonly payload?: unknown;
}

export interface CheckpointView {
  readonly epoch: number;
  readonly tree_size: number;
  readonly root_hash: string;
  readonly note: string;
  readonly key_name: string;
  readonly signed_at: string;
  readonly published_at: string | null;
  readonly published_outside: boolean;
}

export interface ProvenEntryView extends AuditEntryView {
  readonly salt: string | null;
  readonly proof: {
    readonly epoch: number;
    readonly leaf_index: number;
    readonly inclusion: readonly string[];
    readonly checkpoint: CheckpointView;
  } | null;
}

/** The latest signed checkpoint. */
export const useCheckpoint = () =>
  useQuery({
    queryKey: ['audit', 'checkpoint'],
    queryFn: () => api.get<CheckpointView>('/v1/audit/checkpoint'),
    staleTime: 5_000,
  });

/** The public keys that checkpoints are signed with, as this server says; read by those whose roles open the audit log. */
export const useAuditKeys = (enabled: boolean) =>
  useQuery({
    enabled,
    queryKey: ['audit', 'keys'],
    queryFn: () => api.get<{ items: { name: string; key: string; valid_to: string | null }[] }>('/v1/audit/keys'),
  });

/** The evidence pack of a plan or a change, byte for byte. */
export const fetchPack = ({ type, id }: PackSubject): Promise<Uint8Array<ArrayBuffer>> =>
  api.bytes(`/v1/${type === 'plan' ? 'plans' : 'change-requests'}/${id}/evidence`, {});

/** Hands bytes to the person as a file. */
export function download(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
