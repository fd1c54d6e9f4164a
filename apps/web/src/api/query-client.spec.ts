import { MutationObserver, notifyManager, onlineManager } from '@tanstack/react-query';
import { ApiError } from './api-error.js';
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

it('tells a page that an act is under way before the next click can come', async () => {
  let end = (): void => undefined;
  const act = new MutationObserver(queryClient, {
    mutationFn: () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  });
  const told: string[] = [];
  // As useMutation subscribes.
  const stop = act.subscribe(notifyManager.batchCalls(() => told.push(act.getCurrentResult().status)));
  const click = new Promise((resolve) => {
    setTimeout(resolve);
  });
  const sent = act.mutate();
  await click;
  expect(told).toEqual(['pending']);
  end();
  await sent;
  stop();
});

it.each([
  [0, 'web.unreachable', 3],
  [404, 'resource.not_found', 1],
  [500, 'internal.unexpected', 1],
  [503, 'database.too_slow', 1],
  [503, 'database.unavailable', 3],
  [429, 'rate.limited', 3, 10],
  [429, 'rate.limited', 1, 11],
])('asks at a refusal with %i %s so often: %i', async (status, code, times, told = 1) => {
  const words = { type: 't', title: 't', detail: 'It was refused.', instance: 'i' };
  const refused = new ApiError({ ...words, status, code, retry_after_seconds: told });
  const ask = jest.fn(() => Promise.reject(refused));
  const asked = queryClient.query({
    queryKey: ['/v1/refused', code, told],
    queryFn: ask,
    retry: queryClient.getDefaultOptions().queries?.retry ?? false,
    retryDelay: 0,
  });
  await expect(asked).rejects.toBe(refused);
  expect(ask).toHaveBeenCalledTimes(times);
});
