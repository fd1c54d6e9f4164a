import { sentTwice, towardsCaller, towardsCell } from './forwarded-headers.js';

const own = { forwardedFor: '10.0.0.9', secure: true, requestId: 'request-1' };

describe('headers through the router', () => {
  it('end at it if they belong to one connection, or are named as such', () => {
    const headers = {
      accept: 'text/html',
      connection: 'keep-alive, X-Secret-Hop',
      'x-secret-hop': '1',
      'keep-alive': 'timeout=5',
      'transfer-encoding': 'chunked',
      upgrade: 'h2c',
      'http2-settings': 'x',
      'proxy-authorization': 'Basic x',
      te: 'trailers',
      expect: '100-continue',
    };
    expect(Object.keys(towardsCell(headers, own)).sort()).toEqual([
      'accept',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-request-id',
    ]);
    expect(towardsCaller(headers)).toEqual({ accept: 'text/html' });
  });

  it('cannot say where the caller is', () => {
    const claimed = {
      forwarded: 'for=6.6.6.6',
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-real-ip': '6.6.6.6',
    };
    expect(towardsCell(claimed, own)).toEqual({
      'x-forwarded-for': '10.0.0.9',
      'x-forwarded-proto': 'https',
      'x-request-id': 'request-1',
    });
  });

  it('keep every cookie that a cell sets', () => {
    expect(towardsCaller({ 'set-cookie': ['a=1', 'b=2'] })).toEqual({ 'set-cookie': ['a=1', 'b=2'] });
  });

  it('are told if one that decides stands twice', () => {
    expect(sentTwice({ authorization: ['Bearer a', 'Bearer b'], accept: ['a', 'b'] })).toBe('authorization');
    expect(sentTwice({ authorization: ['Bearer a'], accept: ['a', 'b'] })).toBeNull();
  });
});
