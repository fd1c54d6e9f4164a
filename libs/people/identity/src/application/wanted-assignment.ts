import { z } from 'zod';
import { storedId } from '#lib/formats';
import type { PersonId } from '#lib/kernel';

/** A role that waits for a second person, as it is stored. */
export const wantedAssignment = z.strictObject({ person_id: storedId<PersonId>(), role: z.string() });
export type WantedAssignment = z.infer<typeof wantedAssignment>;
