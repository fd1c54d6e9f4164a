import { aboutMany, counted, monthsAwaySentence, thousands } from '#lib/words';
import { beyondCells, type ImpactReport } from './impact-report.js';
import { isSample, totalOf } from './strata.js';
import type { Tally } from './tally.js';

const DAY_MS = 86_400_000;

type Finished = Pick<ImpactReport, 'since' | 'until' | 'progress' | 'change'>;

/**
 * A finished report in one line, as pages, Slack, mail and the command line show it. It counts the decisions that would
 * have come out otherwise. It also counts the cells in force, and the settings beyond them, that become looser. Counts
 * that rest on a sample are estimates of the period, and say so.
 */
export function summaryOf(report: Finished): string {
  const { tally, cells, away } = report.progress;
  const { looser } = cells;
  const { count, estimate } = notPutOf(tally);
  const beyond = beyondCells(report).length;
  const lacks = monthsAwaySentence(away);
  return [
    decisionsOf(report),
    ...(count === 0 ? [] : [`${capital(aboutMany(count, estimate))} could not be.`]),
    ...(lacks === null ? [] : [lacks]),
    ...(looser === 0 ? [] : [`${counted(looser, 'cell')} in force ${looser === 1 ? 'becomes' : 'become'} looser.`]),
    ...(beyond === 0
      ? []
      : [`${counted(beyond, 'setting')} beyond cells ${beyond === 1 ? 'becomes' : 'become'} looser.`]),
  ].join(' ');
}

/** A decision that could not be taken again is not among those that come out the same. */
function decisionsOf({ since, until, progress }: Finished): string {
  const { tally } = progress;
  const strata = progress.strata ?? [];
  const total = totalOf(strata);
  const period = `of the last ${counted(Math.round((until - since) / DAY_MS), 'day')}`;
  if (total === 0) return `There are no decisions ${period}.`;
  const notPut = notPutOf(tally);
  const taken = tally.looked - notPut.count;
  const known = total - notPut.estimate;
  const all =
    notPut.count === 0
      ? `${thousands(total)} ${total === 1 ? 'decision' : 'decisions'} ${period}`
      : `${isSample(strata) ? '' : 'the '}${aboutMany(taken, known)} decisions ${period} that could be taken again`;
  const part = `a sample of ${thousands(taken)}`;
  if (tally.changed === 0)
    return `None of ${isSample(strata) ? `${part} of ` : ''}${all} would have come out otherwise.`;
  const changed = capital(aboutMany(tally.changed, tally.estimates.changed));
  const looser = tally.looser === 0 ? 'none' : aboutMany(tally.looser, tally.estimates.looser);
  const says = isSample(strata) ? `, as ${part} says` : '';
  return `${changed} of ${all} would have come out otherwise, ${looser} of them looser${says}.`;
}

const notPutOf = ({ notPut }: Tally): { readonly count: number; readonly estimate: number } => ({
  count: notPut.reduce((sum, { count }) => sum + count, 0),
  estimate: notPut.reduce((sum, { estimate }) => sum + estimate, 0),
});

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
