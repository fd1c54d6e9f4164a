import { z } from 'zod';
import { uuidSchema } from './common.js';

/** An id in a stored document, read as the branded type of its thing. */
export const storedId = <Id extends string>(): z.ZodType<Id> => uuidSchema.transform((id) => id as Id);
