import { InvalidArgumentError, Option } from 'commander';

/** When an approved plan starts, as an approval request takes it. */
export type StartWhen =
  | { readonly start: 'on_approval' | 'manual' }
  | { readonly start: 'at'; readonly start_at: string };

/** A moment that is the same everywhere: with its offset. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

export const startOption = (): Option =>
  new Option(
    '--start <when>',
    'when an approved plan starts: on_approval, manual, or a time such as 2026-11-20T22:00+01:00',
  ).argParser(startOf);

/** @throws {InvalidArgumentError} if the text is neither a word nor a time. */
function startOf(text: string): StartWhen {
  if (text === 'on_approval' || text === 'manual') return { start: text };
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return { start: 'at', start_at: new Date(at).toISOString() };
  throw new InvalidArgumentError('It must be on_approval, manual, or a time with its offset: 2026-11-20T22:00Z.');
}
