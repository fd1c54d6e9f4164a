import { expectStatus, type TestApi, type TestPerson } from './api.js';
import { enrolTotp, steppedUp } from './second-factors.js';

/** A second admin confirms the change request. */
export async function confirmWaiting(api: TestApi, second: TestPerson): Promise<void> {
  const http = api.http(second.token);
  const { items } = expectStatus(await http.get('/v1/change-requests?state=open'), 200).body as {
    items: readonly { readonly id: string; readonly change_digest: string }[];
  };
  const [change] = items;
  if (change === undefined) throw new Error('nothing waits');
  const totp = await enrolTotp(api, second);
  const operation = { kind: 'change_confirm', change_id: change.id, change_digest: change.change_digest } as const;
  const body = { change_digest: change.change_digest, step_up_id: await steppedUp(http, totp, operation) };
  expectStatus(await http.post(`/v1/change-requests/${change.id}/confirm`, body), 200);
}
