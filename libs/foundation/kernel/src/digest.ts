import { hash } from 'node:crypto';
import { canonicalJson, type Json } from '#lib/canonical';

/** The kind of document; part of the hashed bytes, so that a digest of one kind never passes for another. */
export type DigestKind =
  | 'task'
  | 'plan'
  | 'arguments'
  | 'tool-call'
  | 'tool'
  | 'executor'
  | 'environment'
  | 'simulation'
  | 'autonomy'
  | 'binding'
  | 'approval-request'
  | 'approval-content'
  | 'review'
  | 'decision'
  | 'policy'
  | 'policy-wasm'
  | 'run'
  | 'attempt'
  | 'incident'
  | 'incident-event'
  | 'policy-input'
  | 'stepped-up-operation'
  | 'passkey'
  | 'passkey-assertion'
  | 'request-body'
  | 'change-request'
  | 'change-base'
  | 'comment'
  | 'slack-app-waiting'
  | 'shell-tree'
  | 'mcp-tool';

/** `sha256:` and 64 hexadecimal digits. */
export type Digest = `sha256:${string}`;

/**
 * SHA-256 over `countersign:<kind>:v1\n` and the value's canonical JSON (RFC 8785).
 *
 * @throws {CanonicalJsonError} for a value without a canonical form (lone surrogates, integers beyond 2^53, NaN).
 */
export function digestOf(kind: DigestKind, value: Json): Digest {
  return digestText(kind, canonicalJson(value));
}

/** The same over text that is already canonical, as it was stored. */
export function digestText(kind: DigestKind, canonicalText: string): Digest {
  return `sha256:${hash('sha256', `countersign:${kind}:v1\n${canonicalText}`, 'hex')}`;
}
