import type { Notice } from './notice.js';

/** The message that tests a destination of incidents. */
export const testMessage = (publicUrl: string): Notice => ({
  title: 'Test message: break-glass incidents are told here',
  lines: ['An admin lists this address as a destination of incidents.', 'You have nothing to do.'],
  done: null,
  words: null,
  url: publicUrl,
});
