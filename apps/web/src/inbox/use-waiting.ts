import { usePaged, type Paged } from '../api/paged.js';
import type { QueuedRequestView } from '#lib/contracts';

/** What waits for the reader: the most dangerous first, and of those what runs out soonest. */
export const useQueue = (): Paged<QueuedRequestView> => usePaged<QueuedRequestView>('queue', '/v1/queue');

/** How many requests wait for the reader, as far as they were read. */
export const useWaiting = (): number => useQueue().items.length;
