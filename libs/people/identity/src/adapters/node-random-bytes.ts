import { randomBytes } from 'node:crypto';
import type { RandomBytes } from '../application/identity.ports.js';

/** The operating system's cryptographic source. */
export const nodeRandomBytes: RandomBytes = { bytes: (count) => randomBytes(count) };
