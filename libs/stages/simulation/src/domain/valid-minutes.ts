import type { AutonomyDocument } from '#lib/formats';
import { DEFAULT_VALID_MINUTES } from './simulation.js';

/** How long a result counts in an environment: as its rules say, or else the tenant's, or else the default. */
export const validMinutesIn = (document: AutonomyDocument | null, environment: string): number =>
  document?.autonomy.environments?.[environment]?.simulation_valid_minutes ??
  document?.autonomy.simulation_valid_minutes ??
  DEFAULT_VALID_MINUTES;
