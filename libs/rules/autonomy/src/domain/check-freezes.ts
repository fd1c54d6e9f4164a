import type { Freeze } from '#lib/formats';
import { type FieldError } from '#lib/kernel';
import { neverEnds, stretchAt } from './freezes.js';
import { positionOf, pointerOf } from './explain-issue.js';
import type { SourcedDocument } from './read-document.js';
import { isTimeZone, nearestTimeZone, readWallClock } from './zoned-time.js';

/** The errors in a document's freezes beyond their shape, each with its line. */
export function checkFreezes({ document, yaml }: SourcedDocument): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, freeze] of (document.freezes ?? []).entries()) {
    const add = (keys: readonly string[], code: string, message: string, suggestion?: string): void => {
      const pointer = pointerOf(['freezes', String(index), ...keys]);
      errors.push({
        pointer,
        code: `autonomy.${code}`,
        message,
        ...positionOf(pointer, yaml),
        ...(suggestion === undefined ? {} : { suggestion }),
      });
    };
    if (names.has(freeze.name)) add(['name'], 'freeze_twice', `There is a freeze ${freeze.name} already.`);
    names.add(freeze.name);
    if (!isTimeZone(freeze.time_zone)) {
      add(
        ['time_zone'],
        'unknown_time_zone',
        `There is no time zone ${JSON.stringify(freeze.time_zone)}.`,
        nearestTimeZone(freeze.time_zone),
      );
      continue;
    }
    checkTimes(freeze, add);
  }
  return errors;
}

function checkTimes(
  freeze: Freeze,
  add: (keys: readonly string[], code: string, message: string, suggestion?: string) => void,
): void {
  const { from, until, weekly } = freeze;
  if ((weekly === undefined) === (from === undefined && until === undefined)) {
    add([], 'freeze_times', 'A freeze has "from" and "until", or it has "weekly".');
    return;
  }
  if (weekly !== undefined) {
    weekly.forEach((window, position) => {
      if (window.from === window.until)
        add(
          ['weekly', String(position), 'until'],
          'freeze_times',
          'This window ends at the minute at which it begins.',
        );
    });
    if (neverEnds(freeze)) {
      add(
        ['weekly'],
        'endless_freeze',
        'These windows leave no minute of the week free: a freeze ends. For a stop without one, say mode: plan_only.',
      );
    }
    return;
  }
  if (from === undefined || until === undefined) {
    add(
      [],
      until === undefined ? 'endless_freeze' : 'freeze_times',
      `A freeze has "from" and "until"; one is missing.`,
    );
    return;
  }
  let possible = true;
  for (const [key, text] of Object.entries({ from, until })) {
    if (readWallClock(text) !== null) continue;
    possible = false;
    add([key], 'freeze_times', `There is no such day: ${text}.`);
  }
  // A freeze in the past may stay in the document.
  const stretch = possible ? stretchAt(freeze, Number.NEGATIVE_INFINITY) : null;
  if (possible && (stretch === null || stretch.until <= stretch.from))
    add(['until'], 'freeze_times', `By the clock of ${freeze.time_zone}, it does not end after it begins.`);
}
