import type { NoticeToTell } from './delivery.ports.js';

/** A notice of a change, without recipients. */
export const sampleNotice = (members: Partial<NoticeToTell> = {}): NoticeToTell => ({
  id: 'change',
  title: 'A change waits for a second person',
  lines: ['The executors'],
  done: null,
  words: null,
  url: 'https://countersign.example/changes/change',
  environment: null,
  people: [],
  always: true,
  alsoTo: [],
  ...members,
});
