import { addressOf, callsThrough, type SentCall } from './calls.js';

const sent: unknown[] = [];
const api = callsThrough((method: string, path: string, call: SentCall) => {
  sent.push([method, path, call]);
  return Promise.resolve(undefined);
});
beforeEach(() => sent.splice(0));

describe('a typed call', () => {
  it('fills the parameters into the path, each as one segment', async () => {
    await api.get('/v1/people/{id}', { path: { id: 'a/b?c' } });
    await api.post('/v1/change-requests/{id}/reject', { path: { id: 'x' }, body: { comment: 'no' } });
    expect(sent).toEqual([
      ['GET', '/v1/people/a%2Fb%3Fc', {}],
      ['POST', '/v1/change-requests/x/reject', { body: { comment: 'no' } }],
    ]);
  });

  it('refuses a path that the API lacks, and a call without its parameters', async () => {
    // @ts-expect-error the API has no such path
    await api.get('/v1/planz');
    // @ts-expect-error a parameter is missing
    await expect(async () => api.get('/v1/plans/{id}')).rejects.toThrow('/v1/plans/{id} needs its parameter id');
    // @ts-expect-error the path has no such filter
    await api.get('/v1/plans', { query: { colour: 'red' } });
  });

  it('takes YAML if the path does, and an ETag', async () => {
    await api.put('/v1/autonomy', { yaml: 'rules: []', ifMatch: '"1"', query: { dry_run: 'true' } });
    expect(sent).toEqual([['PUT', '/v1/autonomy', { yaml: 'rules: []', ifMatch: '"1"', query: { dry_run: 'true' } }]]);
  });
});

describe('the address of a call', () => {
  it('has the filters that have a value', () => {
    expect(addressOf('/v1/runs', { state: 'executing', cursor: null, search: '', limit: 0 })).toBe(
      '/v1/runs?state=executing&limit=0',
    );
    expect(addressOf('/v1/runs', { cursor: undefined })).toBe('/v1/runs');
  });
});
