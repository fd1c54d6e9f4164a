import { z } from 'zod';
import { storedId } from '#lib/formats';
import type { PersonId } from '#lib/kernel';

/** A role that waits for a second person, as it is stored. */
export const wantedGrant = z.strictObject({ person_id: storedId<PersonId>(), role: z.string() });
export type WantedGrant = z.infer<typeof wantedGrant>;
