import { z } from 'zod';
import { WORKSPACE_PATH_FORMATS } from '#lib/formats';

/** The format has the catalog that takes the tool over judge the path (T52). */
const path = z.string().min(1).max(4_096);
const readPath = path.meta({ format: WORKSPACE_PATH_FORMATS.any });
const writtenPath = path.meta({ format: WORKSPACE_PATH_FORMATS.written });

/** A path to read, as an agent writes it; `namesOf` checks the rest. */
export const pathSchema = (description: string) => readPath.meta({ description });

/** Several of them. */
export const pathsSchema = (description: string, most: number) =>
  z.array(readPath).min(1).max(most).meta({ description });

/** A path that the tool writes, deletes, or moves from or to. */
export const writtenPathSchema = (description: string) => writtenPath.meta({ description });

/** Several of them. */
export const writtenPathsSchema = (description: string, most: number) =>
  z.array(writtenPath).min(1).max(most).meta({ description });
