import type { OutlineNode, Piece, PieceLimits } from './piece.js';

/** Lines that stay together, by their outline. Both ends are included, counted from 0. */
interface Unit {
  readonly first: number;
  readonly last: number;
  readonly symbols: readonly string[];
  readonly kind: string | null;
  readonly imports: boolean;
  /** The name around it: units of different ones are never joined. */
  readonly within: string | null;
}

/** A smaller declaration is joined with its neighbours, until they have so many lines together. */
const SMALL_LINES = 8;
const JOINED_LINES = 20;

/**
 * Cuts a file into pieces. Each line is in exactly one piece, and the pieces are in order. No piece is longer than the limits, but
 * for a single line.
 *
 * @param outline the nodes of the top level; none cuts by lines alone.
 */
export function cutFile(lines: readonly string[], outline: readonly OutlineNode[], limits: PieceLimits): Piece[] {
  if (lines.length === 0) return [];
  const units = unitsOf(0, lines.length - 1, outline, null, { lines, limits });
  return joined(units, lines, limits).map((group) => pieceOf(group, lines));
}

interface Cutting {
  readonly lines: readonly string[];
  readonly limits: PieceLimits;
}

/** The units of these lines: one for each node that fits, and others for the lines between. */
function unitsOf(
  first: number,
  last: number,
  nodes: readonly OutlineNode[],
  within: string | null,
  cutting: Cutting,
): Unit[] {
  const units: Unit[] = [];
  let next = first;
  const between = (to: number): void => {
    const filler = { symbols: within === null ? [] : [within], kind: null, imports: false, within };
    if (to >= next) units.push(...byLines({ ...filler, first: next, last: to }, cutting));
  };
  for (const node of nodes) {
    const end = Math.min(node.last, last);
    // Two nodes on one line: the first has the line.
    const start = Math.max(node.first, next);
    if (end < start) continue;
    between(start - 1);
    units.push(...unitsOfNode(node, start, end, within, cutting));
    next = end + 1;
  }
  between(last);
  return units;
}

function unitsOfNode(node: OutlineNode, first: number, last: number, within: string | null, cutting: Cutting): Unit[] {
  const name = node.name === null ? within : within === null ? node.name : `${within}.${node.name}`;
  const own = name === null ? [] : [name];
  const members = node.members.map((member) => (name === null ? member : `${name}.${member}`));
  const unit: Unit = {
    ...{ first, last, symbols: [...own, ...members], kind: node.name === null ? null : node.kind },
    ...{ imports: node.imports, within },
  };
  if (fits(first, last, cutting)) return [unit];
  if (node.children.length === 0) return byLines({ ...unit, within: name }, cutting);
  const parts = unitsOf(first, last, node.children, name, cutting);
  const [head, ...others] = parts;
  // The first lines of a class are its own: its kind is theirs.
  return head === undefined ? [] : [{ ...head, kind: head.kind ?? unit.kind }, ...others];
}

const fits = (first: number, last: number, { lines, limits }: Cutting): boolean =>
  last - first < limits.lines && charactersOf(lines, first, last) <= limits.characters;

function charactersOf(lines: readonly string[], first: number, last: number): number {
  let characters = 0;
  for (let at = first; at <= last; at++) characters += (lines[at]?.length ?? 0) + 1;
  return characters;
}

/** Cuts a unit that is too long, at empty lines if there is one late enough. */
function byLines(unit: Unit, cutting: Cutting): Unit[] {
  const units: Unit[] = [];
  let first = unit.first;
  while (first <= unit.last) {
    const last = endOf(first, unit.last, cutting);
    units.push({ ...unit, first, last });
    first = last + 1;
  }
  return units;
}

function endOf(first: number, last: number, cutting: Cutting): number {
  if (fits(first, last, cutting)) return last;
  const { lines, limits } = cutting;
  let end = first;
  let characters = (lines[first]?.length ?? 0) + 1;
  while (end + 1 <= last && end + 1 - first < limits.lines) {
    characters += (lines[end + 1]?.length ?? 0) + 1;
    if (characters > limits.characters) break;
    end += 1;
  }
  for (let at = end; at > first + (end - first) / 2; at--) if (lines[at]?.trim() === '') return at;
  return end;
}

/** Groups of neighbours that make one piece: small ones, and lines that define nothing with the declaration beside them. */
function joined(units: readonly Unit[], lines: readonly string[], limits: PieceLimits): Unit[][] {
  const groups: Unit[][] = [];
  for (const unit of units) {
    const group = groups.at(-1);
    const [start, before] = [group?.[0], group?.at(-1)];
    const joins =
      group !== undefined &&
      start !== undefined &&
      before !== undefined &&
      before.within === unit.within &&
      (isSmall(unit) || isSmall(before)) &&
      (definesNothing(unit) || group.every(definesNothing) || unit.last - start.first < JOINED_LINES) &&
      fits(start.first, unit.last, { lines, limits });
    if (joins) group.push(unit);
    else groups.push([unit]);
  }
  return groups;
}

const definesNothing = ({ kind }: Unit): boolean => kind === null;

const isSmall = ({ first, last }: Unit): boolean => last - first + 1 < SMALL_LINES;

function pieceOf(group: readonly Unit[], lines: readonly string[]): Piece {
  const [start, end] = [group[0]?.first ?? 0, group.at(-1)?.last ?? 0];
  const imports = group.filter((unit) => unit.imports).flatMap(({ first, last }) => lines.slice(first, last + 1));
  return {
    firstLine: start + 1,
    lastLine: end + 1,
    symbols: [...new Set(group.flatMap(({ symbols }) => symbols))],
    kind: group.find(({ kind }) => kind !== null)?.kind ?? null,
    imports: imports.join('\n'),
  };
}
