/** Nest injection token of the {@link AutonomyReader}. */
export const AUTONOMY_READER = Symbol('AUTONOMY_READER');
