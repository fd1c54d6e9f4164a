import { readDatabaseAddress } from './database-address.js';

const urlsOf = (text: string): readonly string[] | string => {
  const read = readDatabaseAddress(text);
  return typeof read === 'string' ? read : read.urls;
};

describe('a PostgreSQL address', () => {
  it.each([
    ['one host', 'postgres://u:p@h:5433/d', ['postgres://u:p@h:5433/d']],
    ['two hosts', 'postgres://u:p@h1,h2/d', ['postgres://u:p@h1/d', 'postgres://u:p@h2/d']],
    [
      'a port each',
      'postgresql://u@h1:1,h2,h3:3/d',
      ['postgresql://u@h1:1/d', 'postgresql://u@h2/d', 'postgresql://u@h3:3/d'],
    ],
    ['IPv6', 'postgres://u@[::1]:5432,[fd00::2]/d', ['postgres://u@[::1]:5432/d', 'postgres://u@[fd00::2]/d']],
    [
      'parameters',
      'postgres://h1,h2/d?connect_timeout=5',
      ['postgres://h1/d?connect_timeout=5', 'postgres://h2/d?connect_timeout=5'],
    ],
    [
      'a password with separators',
      'postgres://u:a,b@c@h1,h2/d',
      ['postgres://u:a,b@c@h1/d', 'postgres://u:a,b@c@h2/d'],
    ],
    [
      'the wish for a writing host',
      'postgres://h1,h2/d?target_session_attrs=read-write&x=1',
      ['postgres://h1/d?x=1', 'postgres://h2/d?x=1'],
    ],
    ['that wish alone', 'postgres://h1/d?target_session_attrs=primary', ['postgres://h1/d']],
    ['no host', 'postgres:///d', ['postgres:///d']],
    [
      'a mode of TLS that is as strict as verify-full',
      'postgres://h1,h2/d?sslmode=require&sslrootcert=/ca.pem',
      ['h1', 'h2'].map((host) => `postgres://${host}/d?sslmode=verify-full&sslrootcert=%2Fca.pem`),
    ],
    ['no TLS', 'postgres://h1/d?sslmode=disable', ['postgres://h1/d?sslmode=disable']],
    [
      'the modes of libpq',
      'postgres://h1/d?uselibpqcompat=true&sslmode=require',
      ['postgres://h1/d?uselibpqcompat=true&sslmode=require'],
    ],
  ])('gives one address a host: %s', (_what, text, urls) => {
    expect(urlsOf(text)).toEqual(urls);
  });

  it.each([
    'mysql://u:secret@h/d',
    'secret',
    'postgres://u:secret@h1,/d',
    'postgres://u:secret@,h2/d',
    'postgres://u:secret@h1:five,h2/d',
    'postgres://u:secret@h1:70000/d',
    'postgres://u:secret%zz@h1/d',
    'postgres://u:secret@h1,h2/d?target_session_attrs=standby',
    'postgres://u:secret@h1,h2/d?target_session_attrs=any',
    'postgres://u:secret@h1/d?sslmode=on',
  ])('is refused without being repeated: %s', (text) => {
    const read = readDatabaseAddress(text);
    expect(read).toEqual(expect.stringMatching(/^(must|may)/));
    expect(read).not.toContain('secret');
  });

  it('tells its parts, decoded, and shows no password', () => {
    expect(readDatabaseAddress('postgres://a%40b:p%2Fq@h1:1,h2/d%20e?x=1')).toMatchObject({
      ...{ hosts: 'h1:1,h2', user: 'a@b', password: 'p/q', database: 'd e' },
      shown: 'postgres://a%40b@h1:1,h2/d%20e',
    });
  });
});
