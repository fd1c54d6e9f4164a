import { isJsonList, type Json } from '#lib/canonical';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase64 } from './base64.js';
import { member } from './json-member.js';
import type { Pack, PackDocument } from './pack-shape.js';
import type { Replay, ReplayedDecision } from './replay-decisions.js';
import { refuse } from './verification-failure.js';

/** The result of taking the decisions again. */
export interface DecisionsAgain {
  /** Taken again from their whole input, with the same result. */
  readonly again: number;
  /** Secrets had been masked in their input, so that they could not be taken again to the letter. */
  readonly masked: number;
  /** As many of the masked as have the same outcome, codes and obligations without the secrets. */
  readonly maskedAlike: number;
  /** Denies because no policy answered: there is nothing to ask again. */
  readonly unanswered: number;
}

/** The rule that the server's own denies name if no policy gave an answer. */
const FAIL_CLOSED = 'countersign.fail_closed';

/** The pack's documents, by kind and id. */
type Held = ReadonlyMap<string, Json>;

interface Asked {
  readonly id: string;
  readonly pointer: string;
  readonly masked: boolean;
  readonly decision: ReplayedDecision;
}

/**
 * Every decision comes out again as recorded, from its input and by the compiled policies of the named digest. The
 * Rego sources of the revision are in the pack too, for a checker who prefers `opa eval`.
 */
export async function checkDecisions(pack: Pack, replay: Replay): Promise<DecisionsAgain> {
  const held = new Map(pack.documents.map((one) => [`${one.kind}\n${one.id}`, one.document]));
  const modules = new Map<string, Uint8Array>();
  const asked: Asked[] = [];
  let unanswered = 0;
  pack.documents.forEach((recorded, index) => {
    if (recorded.kind !== 'decision') return;
    if (isUnanswered(member(recorded.document, 'result'))) unanswered += 1;
    else asked.push(askedAgain(held, recorded, `/documents/${String(index)}`, modules));
  });
  if (asked.length === 0) return { again: 0, masked: 0, maskedAlike: 0, unanswered };

  const alike = await replay({ modules: [...modules.values()], decisions: asked.map(({ decision }) => decision) });
  if (alike === null)
    return refuse('decision.replay_stopped', 'Taking the decisions again did not come to an end, and was stopped.');
  const other = asked.find(({ masked }, index) => !masked && alike[index] !== true);
  if (other !== undefined)
    refuse(
      'decision.not_reproduced',
      `The decision ${other.id} does not come out as it was recorded when it is taken again.`,
      other.pointer,
    );
  const masked = asked.flatMap((one, index) => (one.masked ? [alike[index] === true] : []));
  return {
    again: asked.length - masked.length,
    masked: masked.length,
    maskedAlike: masked.filter(Boolean).length,
    unanswered,
  };
}

/** A deny that names nothing but the server's own rule. Nothing but a deny passes for one. */
function isUnanswered(result: Json): boolean {
  const reasons = member(result, 'reasons');
  return (
    member(result, 'outcome') === 'deny' &&
    isJsonList(reasons) &&
    reasons.length === 1 &&
    member(reasons[0] ?? null, 'rule') === FAIL_CLOSED
  );
}

function askedAgain(held: Held, recorded: PackDocument, pointer: string, modules: Map<string, Uint8Array>): Asked {
  const { id, document } = recorded;
  const digest = moduleOf(held, recorded, pointer, modules);
  const masked = member(document, 'masked_input_digest') !== null;
  const entrypoint = member(document, 'entrypoint');
  return {
    id,
    pointer,
    masked,
    decision: {
      module: [...modules.keys()].indexOf(digest),
      path: `countersign/${typeof entrypoint === 'string' ? entrypoint : ''}/decision`,
      input: held.get(`policy-input\n${id}`) ?? null,
      result: member(document, 'result'),
      masked,
    },
  };
}

/** Finds the module that took the decision, by the digests that the decision names. @returns its digest. */
function moduleOf(
  held: Held,
  { id, document }: PackDocument,
  pointer: string,
  modules: Map<string, Uint8Array>,
): string {
  const revision = member(document, 'bundle_revision');
  const digest = member(document, 'wasm_digest');
  const policies = (kind: string): Json =>
    (typeof revision === 'string' ? held.get(`${kind}\n${revision}`) : undefined) ??
    refuse('decision.policy_missing', `The pack lacks the policies that took the decision ${id}.`, pointer);
  // That the sources are those of the revision is checked with the documents.
  policies('policy');
  const compiled = member(policies('policy-wasm'), 'wasm_base64');
  if (typeof digest === 'string' && modules.has(digest)) return digest;
  const bytes = typeof compiled === 'string' ? decodeBase64(compiled) : null;
  if (bytes === null || typeof digest !== 'string' || `sha256:${bytesToHex(sha256(bytes))}` !== digest)
    return refuse(
      'decision.other_policy',
      `The compiled policies in the pack are not those that took the decision ${id}.`,
      pointer,
    );
  modules.set(digest, bytes);
  return digest;
}
