import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { mailedInvitationSchema, waitingMailedInvitationSchema } from '#lib/api-schemas';
import { type Guarded, type PersonId, type PersonPrincipal, toTimestamp } from '#lib/kernel';
import type { GuardedAnswers } from '../change-request/guarded-answers.js';

/** An invitation that the server mailed: at once, or once a second person confirms it. */
export async function mailedView(
  answers: GuardedAnswers,
  by: PersonPrincipal,
  reply: FastifyReply,
  mailed: {
    readonly personId: PersonId;
    readonly mailedTo: string;
    readonly guarded: Guarded<{ readonly expiresAt: number }>;
  },
  warnings: readonly string[] = [],
): Promise<z.infer<typeof mailedInvitationSchema> | z.infer<typeof waitingMailedInvitationSchema>> {
  const opened = ({ expiresAt }: { readonly expiresAt: number }) => ({ expires_at: toTimestamp(expiresAt) });
  const answer = await answers.of(by, reply, mailed.guarded, opened, warnings);
  return { ...answer, person_id: mailed.personId, mailed_to: mailed.mailedTo };
}
