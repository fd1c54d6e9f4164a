import { awk } from './inspect/awk.js';
import { BUILTIN_INSPECTIONS } from './inspect/builtin-inspections.js';
import { sed } from './inspect/sed.js';
import { SYSTEM_INSPECTIONS } from './inspect/system-inspections.js';
import { TOOL_INSPECTIONS } from './inspect/tool-inspections.js';
import { WRAPPER_INSPECTIONS } from './inspect/wrapper-inspections.js';
import type { Inspect } from './inspection.js';

/** The inspections, by the name that rows give them. */
export const INSPECTIONS: ReadonlyMap<string, Inspect> = new Map(
  Object.entries({
    ...BUILTIN_INSPECTIONS,
    ...WRAPPER_INSPECTIONS,
    ...SYSTEM_INSPECTIONS,
    ...TOOL_INSPECTIONS,
    sed,
    awk,
  }),
);
