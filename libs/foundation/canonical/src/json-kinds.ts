import type { Json, JsonObject } from './canonical-json.js';

/** Whether a value is a list. `Array.isArray` alone tells the compiler nothing of lists that are readonly. */
export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Whether a value is an object: neither a list nor null. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
