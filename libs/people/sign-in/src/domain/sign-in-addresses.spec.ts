import type { TenantId } from '#lib/kernel';
import { SignInAddresses } from './sign-in-addresses.js';

describe('the addresses of an installation', () => {
  it.each([
    ['https://countersign.example', true],
    ['http://localhost:8420', true],
    ['http://127.0.0.1:8420', true],
    ['http://[::1]:8420', true],
    ['http://countersign.example', false],
    ['http://10.0.0.5', false],
    ['http://localhost.evil.example', false],
    ['http://127.0.0.1.evil.example', false],
  ])('%s keeps browser sessions: %s', (publicUrl, keeps) => {
    expect(new SignInAddresses(publicUrl).keepsBrowserSessions).toBe(keeps);
  });

  it('name a tenant by the audience of its API, and no other', () => {
    const addresses = new SignInAddresses('https://countersign.example');
    expect(addresses.tenantOf(addresses.audienceOf('t1' as TenantId))).toBe('t1');
    expect(addresses.tenantOf('https://elsewhere.example/tenants/t1')).toBeNull();
    expect(addresses.tenantOf('countersign')).toBeNull();
  });

  it('name a tenant by its MCP endpoint, and by no other address', () => {
    const addresses = new SignInAddresses('https://countersign.example/here');
    expect(addresses.slugOf('https://countersign.example/here/t/acme/mcp')).toBe('acme');
    for (const audience of ['/t/acme/mcp/', '/t/acme', '/t/a%22/mcp', '/t//mcp', '/tenants/acme'])
      expect(addresses.slugOf(`https://countersign.example/here${audience}`)).toBeNull();
    expect(addresses.slugOf('https://elsewhere.example/here/t/acme/mcp')).toBeNull();
  });
});
