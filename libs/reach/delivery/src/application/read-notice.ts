import type { OutboxPayloads, Tx } from '#lib/kernel';
import type { NoticeSources, NoticeToTell, NoticeTopic } from './delivery.ports.js';

interface NoticeMessage<Topic extends NoticeTopic> {
  readonly topic: Topic;
  readonly payload: OutboxPayloads[Topic];
}

/** Has the source of its topic read a notice. Null if there is nothing to tell any more. */
export const readNotice = <Topic extends NoticeTopic>(
  sources: NoticeSources,
  tx: Tx,
  { topic, payload }: NoticeMessage<Topic>,
): Promise<NoticeToTell | null> => sources[topic].read(tx, payload);
