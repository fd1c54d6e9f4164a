import { z } from 'zod';
import { WORKSPACE_PATH_FORMAT } from '#lib/formats';

/** The format has the catalog that takes the tool over judge the path (T52). */
const path = z.string().min(1).max(4_096).meta({ format: WORKSPACE_PATH_FORMAT });

/** A path as an agent writes it; `namesOf` checks the rest. */
export const pathSchema = (description: string) => path.meta({ description });

/** Several of them. */
export const pathsSchema = (description: string, most: number) => z.array(path).min(1).max(most).meta({ description });
