import { z } from 'zod';
import { timestampSchema, uuidSchema } from '#lib/formats';
import { pageOf } from './shared-schemas.js';

export const newCommentSchema = z
  .strictObject({
    body: z
      .string()
      .trim()
      .min(1, 'say something')
      .max(4_000)
      .meta({ description: 'Plain text; nothing in it is a link. An agent writes at most 2,000 characters.' }),
  })
  .meta({ id: 'NewComment' });
export type NewCommentBody = z.infer<typeof newCommentSchema>;

const aboutSchema = z.object({ type: z.enum(['approval_request', 'change_request']), id: uuidSchema });

/** A comment on an approval request, or on a change of a guardrail. It decides nothing. */
export const commentSchema = z
  .object({
    id: uuidSchema,
    about: aboutSchema,
    author: z.object({ kind: z.enum(['person', 'agent']), id: uuidSchema, display_name: z.string() }),
    on_behalf_of: uuidSchema.nullable().meta({ description: 'The person that delegated to the agent.' }),
    body: z.string().meta({ description: "With secrets masked. An agent's words are not verified." }),
    via: z
      .enum(['api', 'slack'])
      .meta({ description: 'The way in which it was written; the browser counts as the API.' }),
    created_at: timestampSchema,
  })
  .meta({ id: 'Comment' });
export type CommentView = z.infer<typeof commentSchema>;

export const commentPageSchema = pageOf(commentSchema).meta({ id: 'CommentPage' });
export type CommentPage = z.infer<typeof commentPageSchema>;

/** A comment that concerns the caller, and that no page has shown to them. */
const unreadCommentSchema = commentSchema
  .extend({ headline: z.string().meta({ description: 'The plan, call or change in one line.' }) })
  .meta({ id: 'UnreadComment' });
export type UnreadCommentView = z.infer<typeof unreadCommentSchema>;

export const unreadCommentPageSchema = pageOf(unreadCommentSchema).meta({ id: 'UnreadCommentPage' });
export type UnreadCommentPage = z.infer<typeof unreadCommentPageSchema>;
