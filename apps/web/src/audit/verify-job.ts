import type { AbsentPayload, CheckNotMade, PackSubject, VerificationReport } from '#lib/verifier';

/** The input of the thread that verifies. */
export interface VerifyJob {
  readonly pack: Uint8Array<ArrayBuffer>;
  /** `<name>+<hash>+<base64>` each. */
  readonly keys: readonly string[];
  /** An approver-keys file; null: none was given. */
  readonly approverKeys: string | null;
  /** A checkpoint note that was kept outside. */
  readonly checkpoint: string | null;
}

/** The answer of that thread. */
export interface VerifyAnswer {
  readonly outcome: VerificationReport['outcome'];
  readonly passed: readonly string[];
  readonly warnings: readonly string[];
  readonly failure: { readonly code: string; readonly message: string; readonly pointer: string } | null;
  readonly notThere: readonly AbsentPayload[];
  readonly notMade: readonly CheckNotMade[];
  /** The actions of people, and whether a kept key shows each. */
  readonly approvals: readonly { readonly line: string; readonly kept: boolean }[];
  /** Of those that let something happen, how many no kept key shows; null if no keys were given. */
  readonly notSigned: number | null;
  readonly entries: number;
  readonly documents: number;
  readonly subject: PackSubject | null;
}

const TIME_LIMIT_MS = 120_000;

/** Verifies in a thread of its own: the policies of a pack are programs, and need not end. */
export const verifyInThread = (job: VerifyJob): Promise<VerifyAnswer> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' });
    const end = (): void => {
      clearTimeout(timer);
      thread.terminate();
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error('It took longer than two minutes, and was ended. A pack of Countersign takes seconds.'));
    }, TIME_LIMIT_MS);
    thread.addEventListener('message', ({ data }: MessageEvent<{ answer: VerifyAnswer } | { error: string }>) => {
      end();
      if ('answer' in data) resolve(data.answer);
      else reject(new Error(data.error));
    });
    thread.addEventListener('error', ({ message }) => {
      end();
      reject(new Error(message === '' ? 'The verifier could not begin.' : message));
    });
    thread.postMessage(job);
  });
