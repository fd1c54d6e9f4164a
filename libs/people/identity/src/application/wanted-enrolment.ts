import { z } from 'zod';
import { storedId } from '#lib/formats';
import type { PersonId } from '#lib/kernel';

/** An invitation that waits for a second person, as it is stored. */
export const wantedEnrolment = z.strictObject({
  person_id: storedId<PersonId>(),
  /** Of the token, in hexadecimal. */
  token_digest: z.string(),
  /** Roles that come with the invitation. */
  roles: z.array(z.string()).exactOptional(),
  /** Absent if the author sees the token. */
  channel: z.literal('mailed').exactOptional(),
});
export type WantedEnrolment = z.infer<typeof wantedEnrolment>;
