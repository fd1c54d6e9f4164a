/**
 * Embedders: the server of a tenant that gives a text a vector of its meaning, with the API of OpenAI.
 *
 * Owns the way to the embedder of each tenant, and the work of giving texts their vectors. Its address, its model and its token are a
 * connection. Invariants: a text goes to the embedder that its own tenant named, and nowhere else; texts are masked before they leave;
 * no transaction waits for an embedder.
 *
 * Never decides anything, and keeps no vector: its callers do.
 */
export { embedderEntity } from './adapters/embedder.entity.js';
export type { VectorsWanted, WantedText } from './application/embedder.ports.js';
export { ReadEmbedderWork } from './application/read-embedder-work.js';
export { TestEmbedder } from './application/test-embedder.js';
export { createEmbedder, createEmbedderClient, createEmbedderStore } from './create-embedder.js';
export { cosine } from './domain/cosine.js';
export { EMBEDDER, type Embedder, type EmbedderSettings } from './domain/embedder.js';
