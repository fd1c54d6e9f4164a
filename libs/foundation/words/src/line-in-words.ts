interface Verdict {
  readonly tier: 1 | 2 | 3;
  readonly class: string;
}

interface JudgedLine extends Verdict {
  readonly command: string;
  readonly shell: string;
  readonly parts: readonly (Verdict & {
    /** UTF-16 offsets into the command, half open. */
    readonly start: number;
    readonly end: number;
    readonly reasons: readonly { readonly message: string }[];
  })[];
}

/** A part of a command line, and why it has its tier. */
export interface PartInWords {
  /** Cut off if it is long: the line itself stands beside it. */
  readonly text: string;
  readonly tier: Verdict['tier'];
  readonly verdict: string;
  readonly why: string;
}

const CLASSES: ReadonlyMap<string, string> = new Map([
  ['READ_ONLY', 'only reads'],
  ['BUILD_TEST', 'builds or tests'],
  ['WRITE', 'writes'],
  ['NETWORK', 'uses the network'],
  ['UNKNOWN', 'unknown effect'],
  ['DESTRUCTIVE', 'destructive'],
  ['ESCALATION', 'acts with other rights'],
]);

/** Longest text of one part, in UTF-16 units. */
const MAX_CHARACTERS = 80;

/** `Tier 2, writes`: the tier and the class of a command line, or of a part of it. */
export const verdictInWords = ({ tier, class: of }: Verdict): string =>
  `Tier ${String(tier)}, ${CLASSES.get(of) ?? of}`;

/** `for bash`: the shell that a verdict holds for. */
export const shellInWords = (shell: string): string => (shell === 'unknown' ? 'for any shell' : `for ${shell}`);

/** Longest text of one reason, in UTF-16 units. */
const MAX_REASON = 240;

/** The reasons of a verdict, each once. A long one has its middle left out: that is a word of the line, which stands beside it. */
export const reasonsInWords = ({ reasons }: { readonly reasons: readonly { readonly message: string }[] }): string =>
  [...new Set(reasons.map(({ message }) => message))].map(withoutMiddle).join(' ');

function withoutMiddle(text: string): string {
  if (text.length <= MAX_REASON) return text;
  const half = MAX_REASON / 2;
  return `${text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '')}…${text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** The parts of a command line in its order, each with its reasons. */
export const partsInWords = ({ command, parts }: JudgedLine): PartInWords[] =>
  parts.map((part) => ({
    text: cut(command.slice(part.start, part.end)),
    tier: part.tier,
    verdict: verdictInWords(part),
    why: reasonsInWords(part),
  }));

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const kept = text.slice(0, MAX_CHARACTERS - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
