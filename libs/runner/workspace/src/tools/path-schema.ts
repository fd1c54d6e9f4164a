import { z } from 'zod';

/** A path as an agent writes it; `namesOf` checks the rest. */
export const pathSchema = (description: string) => z.string().min(1).max(4_096).meta({ description });

/** Several of them. */
export const pathsSchema = (description: string, most: number) =>
  z.array(z.string().min(1).max(4_096)).min(1).max(most).meta({ description });
