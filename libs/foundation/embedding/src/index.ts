/**
 * Embeddings: a text becomes a vector of its meaning, at a server with the API of OpenAI (`POST /embeddings`).
 *
 * Owns the shape of question and answer, and the number of texts in a question. Owns the ways in which a server fails.
 * Invariants: each text has its own vector, in the order of the question, and each vector has length 1; a short or
 * malformed answer is a failure; no token stands in a failure.
 *
 * It knows no tenant and keeps nothing. Its caller brings the agent that connects.
 */
export { askEmbedder, type EmbedderAddress } from './adapters/ask-embedder.js';
export { nextBatchSize } from './domain/batch-size.js';
export { EmbedderFailedError } from './domain/embedder-failed.js';
