import { cosine } from './cosine.js';

/** Sentences in pairs of one meaning, as few words shared as possible. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['Renew the TLS certificate of the shop.', 'Swap an expired cert in the storefront.'],
  ['Restart the web servers one by one.', 'Bounce each machine that delivers our pages.'],
  ['Grow the disk of the database.', 'Expand the storage volume under Postgres.'],
  ['Rotate the password of the mail account.', 'Refresh login credentials for sending messages.'],
  ['Block visitors from that network.', 'Deny clients of this subnet.'],
  ['Drain the queue before the upgrade.', 'Empty the backlog ahead of a new version.'],
];

/** A model of which sentences of one meaning are hardly nearer than others tells nothing apart. */
const MIN_APART = 0.05;

/** Sentences whose vectors tell how near a model puts one meaning, and how far different ones. */
export const CALIBRATION: readonly string[] = PAIRS.flat();

/**
 * The cosine from which on two vectors count as similar: halfway between sentences of different meanings and those of one.
 * Models differ widely in both.
 *
 * @param vectors of {@link CALIBRATION}, in its order, each of length 1.
 * @returns null if the model tells meanings hardly apart.
 */
export function leastOf(vectors: readonly Float32Array[]): number | null {
  const [same, different]: [number[], number[]] = [[], []];
  for (const [at, one] of vectors.entries())
    for (const [other, compared] of vectors.entries())
      if (other > at) (at % 2 === 0 && other === at + 1 ? same : different).push(cosine(one, compared));
  const [near, far] = [mean(same), mean(different)];
  return near - far < MIN_APART ? null : (near + far) / 2;
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
