/** The parts of an impact report that say whether it is complete. */
interface Judged {
  readonly looser: boolean;
  readonly decisions: { readonly not_put: number };
  readonly months_away: readonly string[];
}

/** True if nothing looser was found, and decisions could not be put again or are not in the database. */
export const isImpactNotKnown = ({ looser, decisions, months_away: away }: Judged): boolean =>
  !looser && (decisions.not_put > 0 || away.length > 0);
