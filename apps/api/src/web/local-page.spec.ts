import { LocalPage } from './local-page.js';

describe('a page of this machine', () => {
  it.each([
    ['127.0.0.1:8420', '/inbox?x=1', 'http://localhost:8420/inbox?x=1'],
    ['127.1.2.3:8420', '/', 'http://localhost:8420/'],
    ['[::1]:8420', '//evil.example/x', 'http://localhost:8420//evil.example/x'],
    ['localhost:8420', '/', null],
    ['127.0.0.1:9000', '/', null],
    ['127.0.0.1', '/', null],
    ['127.0.0.1.evil.example:8420', '/', null],
    ['127.0.0.1:8420@evil.example', '/', null],
    [undefined, '/', null],
  ])('asked for at %s with %s stands by its name at %s', (host, path, expected) => {
    expect(new LocalPage('http://localhost:8420').byName(host, path)).toBe(expected);
  });

  it.each(['http://127.0.0.1:8420', 'https://countersign.example'])('is left where it is at %s', (publicUrl) => {
    expect(new LocalPage(publicUrl).byName('127.0.0.1:8420', '/')).toBeNull();
  });
});
