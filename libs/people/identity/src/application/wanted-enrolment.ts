import type { PersonId } from '#lib/kernel';

/** An invitation that waits for a second person, as it is stored. */
export interface WantedEnrolment {
  readonly person_id: PersonId;
  /** Of the token, in hexadecimal. */
  readonly token_digest: string;
  /** Granted together with it. */
  readonly roles?: readonly string[];
  /** Left out where whoever asked is shown the token. */
  readonly channel?: 'mailed';
}
