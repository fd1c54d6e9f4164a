import { HealthController } from './health.controller.js';

it('answers all who ask at the same time with one look, and looks again for the next', async () => {
  let looks = 0;
  const health = new HealthController([
    {
      name: 'database',
      check: () => {
        looks += 1;
        return Promise.resolve();
      },
    },
  ]);
  const together = await Promise.all(Array.from({ length: 100 }, () => health.ready()));
  expect(together).toEqual(Array.from({ length: 100 }, () => ({ status: 'ok' })));
  expect(looks).toBe(1);
  await health.ready();
  expect(looks).toBe(2);
});

it('is not ready if one look fails, and names it', async () => {
  const health = new HealthController([
    { name: 'database', check: () => Promise.reject(new Error('away')) },
    { name: 'disk', check: () => Promise.resolve() },
  ]);
  await expect(health.ready()).rejects.toMatchObject({
    failure: { code: 'health.not_ready', message: 'Not ready: database.' },
  });
});
