import { readFileSync } from 'node:fs';
import { classifyCommand, type Shell, type ShellVerdict, type Tier } from '#lib/shell-safety';

/** A line with the tier that it should have. `shell` is `unknown` if it is not given. */
interface LabelledLine {
  readonly command: string;
  readonly shell?: Shell;
  readonly tier: Tier;
  /** The class that it should have, if that is the point of the line. */
  readonly class?: ShellVerdict['class'];
  /** `read`: it only reads. `change`: it changes something in an ordinary way. `abuse`: its harm should not pass unseen. */
  readonly kind: 'read' | 'change' | 'abuse';
  readonly why: string;
}

const linesOf = (file: string): readonly LabelledLine[] =>
  readFileSync(`test/shell/${file}`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledLine);

/** `blind` was written without the command table in view, `known` with it. */
const FILES = { blind: linesOf('blind.ndjson'), known: linesOf('known.ndjson') };
const lines = [...FILES.blind, ...FILES.known];
const tierOf = ({ command, shell }: LabelledLine): Tier => classifyCommand(command, shell).tier;
const passing = (kind: LabelledLine['kind']): number =>
  lines.filter((line) => line.kind === kind && tierOf(line) === 1).length;

it.each(Object.entries(FILES))('each line of %s.ndjson has its tier', (_file, labelled) => {
  expect(labelled.length).toBeGreaterThanOrEqual(500);
  expect(labelled.filter((line) => tierOf(line) !== line.tier)).toEqual([]);
});

it('each line that names a class has it', () => {
  const named = lines.filter((line) => line.class !== undefined);
  expect(named.length).toBeGreaterThanOrEqual(50);
  expect(named.filter((line) => classifyCommand(line.command, line.shell).class !== line.class)).toEqual([]);
});

it('no line stands twice, and each says why', () => {
  expect(new Set(lines.map(({ command, shell }) => JSON.stringify([command, shell]))).size).toBe(lines.length);
  expect(lines.filter(({ why }) => !/^\S.*\.$/.test(why))).toEqual([]);
});

it('four of five reads pass as Tier 1 and no abuse does, as docs/shell.md says', () => {
  const of = (kind: LabelledLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  const [reads, abuses] = [of('read'), of('abuse')];
  expect(passing('read') / reads).toBeGreaterThanOrEqual(0.8);
  expect(passing('abuse')).toBe(0);
  expect(passing('change')).toBe(0);
  const page = readFileSync('docs/shell.md', 'utf8').replaceAll(/\s+/g, ' ');
  expect(page).toContain(`${String(passing('read'))} of ${String(reads)} reads are Tier 1`);
  expect(page).toContain(`None of ${String(abuses)} abuses is`);
});
