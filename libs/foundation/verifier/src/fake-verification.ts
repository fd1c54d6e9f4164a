import { assemblyOf, fakeSigner, fileOf, jsonOf, packOf, PLAN, proven, type FakeEvent } from './fake-pack.js';
import type { Pack, PackDocument } from './pack-shape.js';
import { verifyPack, type VerificationReport, type VerifyOptions } from './verify-pack.js';

export const SIGNER = fakeSigner('countersign/tenant-1/audit-1');
export const plan: PackDocument = { kind: 'plan', id: PLAN.id, document: { phases: [] } };
export const tool: PackDocument = { kind: 'tool', id: 'patch@1', document: { name: 'patch' } };
export const EVENTS: readonly FakeEvent[] = [
  { action: 'task.created', subject: { type: 'task', id: 'task-1' }, within: [{ type: 'task', id: 'task-1' }] },
  { action: 'plan.validated', fixes: [plan] },
  { action: 'plan.noted', payload: { a: [1, 'two', null] } },
];
export const honest = (events = EVENTS, documents: readonly PackDocument[] = [tool]): Pack =>
  proven(packOf([...events, assemblyOf(events, documents)], { documents }), SIGNER);

export const verify = (bytes: Uint8Array, options: Partial<VerifyOptions> = {}): Promise<VerificationReport> =>
  verifyPack(bytes, { trustedKeys: [SIGNER], replay: () => Promise.resolve([]), ...options });
export const verifyOf = (pack: Pack, options: Partial<VerifyOptions> = {}): Promise<VerificationReport> =>
  verify(fileOf(jsonOf(pack)), options);
export const failureOf = async (
  pack: Pack,
  options: Partial<VerifyOptions> = {},
): Promise<VerificationReport['failure']> => (await verifyOf(pack, options)).failure;
