import { parseApproverKeys, parseNoteKey, replayDecisions, verifyPack, type NoteKey } from '#lib/verifier';
import { answerOf } from './verify-answer.js';
import type { VerifyJob, VerifyAnswer } from './verify-job.js';

// The same verifier as `countersign verify`, in a thread that the page ends when its time is up.
self.addEventListener('message', ({ data }: MessageEvent<VerifyJob>) => {
  verify(data).then(
    (answer) => {
      self.postMessage({ answer });
    },
    (error: unknown) => {
      self.postMessage({ error: error instanceof Error ? error.message : 'The verifier stopped.' });
    },
  );
});

async function verify({ pack, keys, approverKeys, checkpoint }: VerifyJob): Promise<VerifyAnswer> {
  const trustedKeys = keys.map(parseNoteKey).filter((key): key is NoteKey => key !== null);
  const people = approverKeys === null ? null : parseApproverKeys(approverKeys);
  if (people !== null && 'line' in people)
    throw new Error(`Line ${String(people.line)} of the approver keys ${people.message}.`);
  const report = await verifyPack(pack, {
    trustedKeys,
    replay: (job) => Promise.resolve(replayDecisions(job)),
    ...(people === null ? {} : { approverKeys: people }),
    ...(checkpoint === null ? {} : { externalCheckpoint: { note: checkpoint } }),
  });
  return answerOf(report, people !== null);
}
