import { SignInAddresses } from '#lib/sign-in';
import { McpAddresses } from './mcp-addresses.js';

describe('the addresses that MCP clients are told', () => {
  it('are below the public address, and the metadata stands at the root of its host', () => {
    const addresses = new McpAddresses('https://plane.example/countersign');
    expect(addresses.endpoint('acme')).toBe('https://plane.example/countersign/t/acme/mcp');
    expect(addresses.metadata('acme')).toBe(
      'https://plane.example/.well-known/oauth-protected-resource/countersign/t/acme/mcp',
    );
    expect(new SignInAddresses('https://plane.example/countersign').slugOf(addresses.endpoint('acme'))).toBe('acme');
    expect(addresses.requestPage('one')).toBe('https://plane.example/countersign/requests/one');
  });

  it('keep a slug within its segment of the path', () => {
    expect(new McpAddresses('https://plane.example').metadata('a"/../b')).toBe(
      'https://plane.example/.well-known/oauth-protected-resource/t/a%22%2F..%2Fb/mcp',
    );
  });
});
