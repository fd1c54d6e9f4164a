/**
 * JSON with exactly one spelling: canonical form (RFC 8785), and a parser that refuses values without one. Such a value
 * has duplicate keys, lone surrogates, integers beyond 2^53, or too deep nesting. Also the look for a member by a name
 * from outside.
 *
 * Pure and free of Node's modules, so that the server, the offline verifier and a browser share it. It never repairs
 * its input.
 */
export { deepFreeze } from './deep-freeze.js';
export { canonicalJson, CanonicalJsonError, type Json, type JsonObject } from './canonical-json.js';
export { countValues, MAX_RESULT_VALUES } from './count-values.js';
export { isJsonList, isJsonObject } from './json-kinds.js';
export { ownMember } from './own-member.js';
export { parseStrictJson, StrictJsonError } from './parse-strict-json.js';
