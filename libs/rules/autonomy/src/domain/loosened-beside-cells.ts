import type { AutonomyDocument } from '#lib/formats';
import { compareFreezesAndEscalations } from './compare-freezes-and-escalations.js';
import { loosenedBeyondCells } from './loosened.js';

/** All loosening that no cell of the matrix shows, in words: break-glass, limits, budgets, freezes and escalations. */
export const loosenedBesideCells = (before: AutonomyDocument | null, after: AutonomyDocument): readonly string[] => [
  ...loosenedBeyondCells(before, after),
  ...compareFreezesAndEscalations(before, after)
    .filter(({ change }) => change === 'loosens')
    .map(({ what }) => what),
];
