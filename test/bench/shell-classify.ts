import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forEachChild, parse } from 'unbash';
import { packageRoot } from '#lib/database';
import { classifyCommand, type Shell, type Tier } from '#lib/shell-safety';
import { measurementOf, type Measurement } from './measurement.js';
import { spreadsOf } from './percentile.js';

const ROUNDS = 11;
const PASSES = 3;
/** Beyond it stand only the lines that test the caps. */
const LONGEST = 2_000;

interface Line {
  readonly command: string;
  readonly shell?: Shell;
  readonly tier: Tier;
}

/**
 * `shell-classify`: the verdict on each labelled line of test/shell, against the parser alone, which makes its whole tree.
 * `/median` is the same at the median, which a busy machine moves less.
 */
export function shellClassify(): Promise<readonly Measurement[]> {
  const lines = linesOf('blind').concat(linesOf('known'));
  let [ours, theirs] = [0, 0];
  const lineAt = (index: number): Line => {
    const line = lines[index % lines.length];
    if (line === undefined) throw new Error('test/shell holds no lines.');
    return line;
  };
  const classify = (): void => {
    const { command, shell, tier } = lineAt(ours++);
    if (classifyCommand(command, shell).tier !== tier) throw new Error(`The verdict on ${command} is wrong.`);
  };
  const parseAlone = (): void => {
    visit(parse(lineAt(theirs++).command));
  };
  const calls = PASSES * lines.length;
  spreadsOf(calls, classify, parseAlone);
  const rounds = Array.from({ length: ROUNDS }, () => spreadsOf(calls, classify, parseAlone));
  return Promise.resolve([
    measurementOf(
      'shell-classify',
      rounds.map(([our, their]) => our.p99 / their.p99),
    ),
    measurementOf(
      'shell-classify/median',
      rounds.map(([our, their]) => our.median / their.median),
    ),
  ]);
}

const linesOf = (file: string): Line[] =>
  readFileSync(join(packageRoot(), 'test', 'shell', `${file}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ command }) => command.length < LONGEST);

/** The parser makes the parts of a word when they are asked for. */
const visit = (node: Parameters<typeof forEachChild>[0]): void => {
  forEachChild(node, visit);
};
