import type { ShownLine } from '#lib/api-schemas';

/** A stretch of a command line under one verdict. */
export interface LineSegment {
  readonly text: string;
  /** Null for blanks and operators between commands. */
  readonly tier: 1 | 2 | 3 | null;
}

/** A command line as stretches of one tier, in order. Of parts inside each other, the innermost counts. */
export function lineSegments({ command, parts }: Pick<ShownLine, 'command' | 'parts'>): LineSegment[] {
  const edges = new Set([0, command.length]);
  for (const { start, end } of parts) edges.add(start).add(end);
  const sorted = [...edges].filter((edge) => edge >= 0 && edge <= command.length).sort((a, b) => a - b);
  const segments: LineSegment[] = [];
  sorted.forEach((from, index) => {
    const to = sorted[index + 1];
    if (to === undefined) return;
    const text = command.slice(from, to);
    const { tier } = innermost(parts, from, to) ?? { tier: null };
    const before = segments.at(-1);
    if (before?.tier === tier) segments.splice(-1, 1, { text: before.text + text, tier });
    else segments.push({ text, tier });
  });
  return segments;
}

/** The shortest part that covers a stretch; of equally short ones, the worst. */
function innermost(parts: ShownLine['parts'], from: number, to: number): ShownLine['parts'][number] | undefined {
  return parts
    .filter(({ start, end }) => start <= from && end >= to)
    .sort((a, b) => a.end - a.start - (b.end - b.start) || b.tier - a.tier)[0];
}
