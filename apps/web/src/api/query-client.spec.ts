import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { queryClient } from './query-client.js';

afterEach(() => {
  onlineManager.setOnline(true);
});

it('sends an act at once, and keeps none until there is a network', async () => {
  onlineManager.setOnline(false);
  const act = new MutationObserver(queryClient, { mutationFn: () => Promise.reject(new Error('not reached')) });
  const sent = act.mutate();
  expect(act.getCurrentResult().isPaused).toBe(false);
  await expect(sent).rejects.toThrow('not reached');
});
