import { checkNames } from './check-target.js';

const GOOD = 'postgres://postgres:pa55word@db-b:5432/countersign';

const codeOf = (slug: string, to: string): string => {
  const checked = checkNames({ slug, to: [GOOD, to] });
  return checked.ok ? 'ok' : checked.error.code;
};

describe('the names that an operator gives', () => {
  it.each([GOOD, 'postgresql://db-b/countersign', `${GOOD}?sslmode=verify-full`, 'postgres://[::1]:5432/countersign'])(
    'may be %s',
    (to) => {
      expect(codeOf('acme', to)).toBe('ok');
    },
  );

  it.each(['', 'A', '-a', 'a-', "a'; drop table tenant; --", '../a', 'a b', 'a\n', 'ä', 'a'.repeat(64)])(
    'T58: refuses the slug %j',
    (slug) => {
      expect(codeOf(slug, GOOD)).toBe('tenant_move.slug');
    },
  );

  it.each([
    '',
    'db-b',
    'https://db-b/countersign',
    'file:///etc/passwd',
    'postgres://db-b',
    'postgres://db-b/',
    'postgres:///countersign',
    `${GOOD}?host=/tmp`,
    `${GOOD}?sslkey=/etc/ssl/private/key.pem`,
    `${GOOD}?options=-c%20session_replication_role=replica`,
    `${GOOD}#x`,
  ])('T58: refuses the target %j', (to) => {
    expect(codeOf('acme', to)).toBe('tenant_move.target');
  });

  it('name a host at least', () => {
    expect(checkNames({ slug: 'acme', to: [] })).toMatchObject({ ok: false, error: { code: 'tenant_move.target' } });
  });

  it('T58: are not told again by the refusal, which a log may keep', () => {
    const checked = checkNames({ slug: 'acme', to: ['https://postgres:pa55word@db-b/countersign'] });
    expect(JSON.stringify(checked)).not.toMatch(/pa55word|db-b/);
  });
});
