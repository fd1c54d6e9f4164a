/**
 * Embedders: the server of a tenant that gives a text a vector of its meaning, with the API of OpenAI.
 *
 * Owns the address, the model and the token of each tenant's embedder, and the way to it. Invariants: a text goes to the embedder that
 * its own tenant named, and nowhere else; it is reached over HTTPS, and its address is checked at connect (T31); the token lies encrypted (T32);
 * another address takes two people; texts are masked before they leave.
 *
 * Never decides anything, and keeps no vector: its callers do.
 */
export { embedderEntity } from './adapters/embedder.entity.js';
export { ChangeEmbedder } from './application/change-embedder.js';
export type { VectorsWanted, WantedText } from './application/embedder.ports.js';
export { ReadEmbedder, type EmbedderAtWork } from './application/read-embedder.js';
export { RemoveEmbedder } from './application/remove-embedder.js';
export { SetEmbedderToken } from './application/set-embedder-token.js';
export { TestEmbedder } from './application/test-embedder.js';
export { createEmbedder, type Embedders } from './create-embedder.js';
export { cosine } from './domain/cosine.js';
export type { Embedder } from './domain/embedder.js';
