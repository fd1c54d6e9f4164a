import { z } from 'zod';

/** The reason why the reader cannot do something, and the action open to them instead. */
export const whyNotSchema = z.object({ code: z.string(), message: z.string(), action: z.string().optional() });
export type WhyNotView = z.infer<typeof whyNotSchema>;
