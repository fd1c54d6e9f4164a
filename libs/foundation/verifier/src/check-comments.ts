import type { Json } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { member } from './json-member.js';
import type { Pack } from './pack-shape.js';
import type { Refuse } from './verification-failure.js';

/** So many comments are told one by one; the pack holds all of them. */
const MAX_TOLD = 20;
const MAX_CHARACTERS = 300;

/**
 * Comments on the subject. Each stands in the pack as its entry fixed it, with the author that the entry names. An
 * agent's comment is reported as its own words.
 */
export function checkComments(pack: Pack, refuse: Refuse): string[] {
  const lines = pack.entries.flatMap(({ header }, index): string[] => {
    if (header.action !== 'comment.added') return [];
    const fixed = header.evidence.find(({ kind }) => kind === 'comment');
    const document = pack.documents.find(
      ({ kind, id, document: held }) =>
        kind === 'comment' && id === fixed?.id && documentDigest('comment', held) === fixed.digest,
    )?.document;
    const pointer = `/entries/${String(index)}`;
    if (document === undefined)
      return refuse('story.comment', `The entry ${header.id} fixed a comment that is not in the pack.`, pointer);
    const { actor } = header;
    const sameAuthor =
      member(document, 'author', 'id') === actor.id && member(document, 'author', 'kind') === actor.kind;
    if (!sameAuthor || member(document, 'subject', 'id') !== header.subject.id)
      return refuse(
        'story.comment',
        `The comment ${String(fixed?.id)} names another author or subject than its entry.`,
        pointer,
      );
    const said = quote(member(document, 'body'));
    return [
      actor.kind === 'agent'
        ? `${actor.display_name}, an agent, wrote at ${header.occurred_at}, and nobody verified it: ${said}`
        : `${actor.display_name} commented at ${header.occurred_at}: ${said}`,
    ];
  });
  const more = lines.length - MAX_TOLD;
  return more > 0 ? [...lines.slice(0, MAX_TOLD), `${String(more)} more comments are in the pack.`] : lines;
}

/** In quotes, on one line, and cut if it is long. */
function quote(text: Json): string {
  const words = typeof text === 'string' ? text : '';
  return JSON.stringify(words.length > MAX_CHARACTERS ? `${words.slice(0, MAX_CHARACTERS)}…` : words);
}
