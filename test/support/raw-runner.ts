import { generateKeyPairSync } from 'node:crypto';
import type { Json } from '#lib/canonical';
import { RUNNER_PROOF_HEADER } from '#lib/formats';
import { Plane, type Introduction, type OfferedCall } from '../../apps/runner/src/plane.js';
import type { RunnerIdentity } from '../../apps/runner/src/runner-key.js';
import { signProof } from '../../apps/runner/src/sign-proof.js';

/** An answer to a raw request. */
export interface RawAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A runner that a test plays: it speaks the protocol, and carries nothing out by itself. */
export interface RawRunner {
  readonly identity: RunnerIdentity;
  readonly plane: Plane;
  /** The next call, or null if none comes within 25 seconds. */
  take(): Promise<OfferedCall | null>;
  /** Signs the proof of a POST. */
  proof(path: string, body: Json, now?: number): Promise<string>;
  /** Sends a POST with this proof, or without one. */
  post(path: string, body: unknown, proof?: string): Promise<RawAnswer>;
}

type PrivateKey = RunnerIdentity['private_key'];

export const newKey = (): PrivateKey =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as PrivateKey;

/** The words of a runner of staging about itself. */
export const sampleIntroduction: Introduction = {
  version: '0.0.0-test',
  tools: [],
  worksIn: ['staging'],
  hooks: [],
  mcpServers: [],
  noWayBack: null,
  sessions: [],
};

/** Exchanges a one-time token, and says hello. */
export async function rawRunner(url: string, token: string): Promise<RawRunner> {
  const key = newKey();
  const plane = new Plane(url);
  const { tenant_id, runner_id, key_id } = await plane.enrol(token, key.x, sampleIntroduction.version);
  const runner = asRunner(url, { tenant_id, runner_id, key_id, private_key: key, made_at: 0 });
  await runner.plane.hello(sampleIntroduction);
  return runner;
}

/** The runner of an identity. */
export function asRunner(url: string, identity: RunnerIdentity): RawRunner {
  const plane = new Plane(url, identity);
  return {
    identity,
    plane,
    take: () => plane.take([], new AbortController().signal),
    proof: (path, body, now = Date.now()) => signProof(identity, { audience: url, method: 'POST', path, body }, now),
    post: async (path, body, proof) => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(proof === undefined ? {} : { [RUNNER_PROOF_HEADER]: proof }),
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await answer.text();
      return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as RawAnswer['body'] };
    },
  };
}
