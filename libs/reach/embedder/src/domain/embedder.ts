import type { EmbedderId, PersonId } from '#lib/kernel';

/** The members of an embedder that an admin sets. */
export interface EmbedderSettings {
  /** HTTPS, without credentials, query and fragment: it is shown, and kept in the audit log. */
  readonly url: string;
  /** The certificates in PEM that alone vouch for it; null for the public authorities. */
  readonly ca: string | null;
  readonly model: string;
  /** The length of a vector to ask for; null for that of the model. */
  readonly dimensions: number | null;
}

/** The embedder of a tenant. Times are epoch milliseconds. */
export interface Embedder extends EmbedderSettings {
  readonly id: EmbedderId;
  readonly hasToken: boolean;
  /** Raised with each change of address, model or length: vectors of different generations are not comparable. */
  readonly generation: number;
  /** The cosine from which on two vectors count as similar; null until it was measured. */
  readonly least: number | null;
  /** When it last gave a vector; null for never. */
  readonly answeredAt: number | null;
  /** The failure since then, masked; null for none. */
  readonly error: string | null;
  readonly errorAt: number | null;
  /** When a worker looks for texts without a vector again. */
  readonly nextAt: number;
  readonly createdBy: PersonId;
  readonly createdAt: number;
}

/** The loosening of a change, in words: texts that leave Countersign for another server. Another model there loosens nothing. */
export function loosenedEmbedder(before: EmbedderSettings | null, after: EmbedderSettings): readonly string[] {
  if (before === null) return [`the words of requests and questions are sent to ${after.url}`];
  return [
    ...(after.url === before.url
      ? []
      : [`the words of requests and questions are sent to ${after.url}, not to ${before.url}`]),
    ...(after.ca === before.ca
      ? []
      : [
          `the certificate of ${after.url} is checked against ${after.ca === null ? 'the public authorities' : 'the authorities of this change only'}`,
        ]),
  ];
}

/** Whether vectors of the one can be compared with vectors of the other. */
export const comparable = (one: EmbedderSettings, other: EmbedderSettings): boolean =>
  one.url === other.url && one.model === other.model && one.dimensions === other.dimensions;
