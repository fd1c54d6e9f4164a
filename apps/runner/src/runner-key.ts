import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { uuidSchema } from '#lib/formats';
import { readIfThere, removeDurably, writeDurably } from './durable-file.js';

const jwkSchema = z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() });

/** A private key that Countersign does not know yet. */
export type PrivateKey = z.infer<typeof jwkSchema>;

const identitySchema = z.strictObject({
  tenant_id: uuidSchema,
  runner_id: uuidSchema,
  key_id: uuidSchema,
  private_key: jwkSchema,
  /** Epoch milliseconds. */
  made_at: z.int(),
});
/** A runner's own identity: its ids, and the key that signs its proofs. */
export type RunnerIdentity = z.infer<typeof identitySchema>;

function newPrivateKey(): PrivateKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return jwkSchema.parse(privateKey.export({ format: 'jwk' }));
}

/** The key of a runner, in a file that its owner alone can read. */
export class KeyFile {
  readonly #current: string;
  readonly #next: string;

  constructor(folder: string) {
    this.#current = join(folder, 'key.json');
    this.#next = join(folder, 'next-key.json');
  }

  async read(): Promise<RunnerIdentity | null> {
    const text = await readIfThere(this.#current);
    return text === null ? null : identitySchema.parse(JSON.parse(text));
  }

  async write(identity: RunnerIdentity): Promise<void> {
    await writeDurably(this.#current, JSON.stringify(identity));
    await removeDurably(this.#next);
  }

  /**
   * A key that is to take the place of the current one. It is on the disk before Countersign hears of it, so that it can be
   * offered again.
   */
  async next(): Promise<PrivateKey> {
    const text = await readIfThere(this.#next);
    if (text !== null) return jwkSchema.parse(JSON.parse(text));
    const made = newPrivateKey();
    await writeDurably(this.#next, JSON.stringify(made));
    return made;
  }
}
