import { parseNoteKey, replayDecisions, verifyPack, type NoteKey } from '#lib/verifier';
import type { VerifyJob, VerifyAnswer } from './verify-job.js';

// The same verifier as `countersign verify`, in a thread that the page ends when its time is up.
self.addEventListener('message', ({ data }: MessageEvent<VerifyJob>) => {
  void verify(data).then((answer) => {
    self.postMessage(answer);
  });
});

async function verify({ pack, keys, checkpoint }: VerifyJob): Promise<VerifyAnswer> {
  const trustedKeys = keys.map(parseNoteKey).filter((key): key is NoteKey => key !== null);
  const { outcome, passed, failure, notThere, notMade, entries, documents, subject } = await verifyPack(pack, {
    trustedKeys,
    replay: (job) => Promise.resolve(replayDecisions(job)),
    ...(checkpoint === null ? {} : { externalCheckpoint: { note: checkpoint } }),
  });
  return {
    outcome,
    passed: [...passed],
    failure,
    notThere,
    notMade,
    entries: entries.length,
    documents: documents.length,
    subject,
  };
}
