import { newId, type TenantId } from '#lib/kernel';
import { AddressRules } from './address-rules.js';

it('T31: takes an executor at a host that the operator allowed one tenant from that tenant alone', async () => {
  const acme = newId<TenantId>();
  const rules = new AddressRules(['acme=10.0.0.5:8443'], (id) => Promise.resolve(id === acme ? 'acme' : 'globex'));
  expect((await rules.rulesOf(acme))('10.0.0.5', 8443)).toBe('allowed');
  expect((await rules.rulesOf(newId<TenantId>()))('10.0.0.5', 8443)).toBe('refused');
  expect((await rules.rulesOf(acme))('10.0.0.5', 22)).toBe('refused');
  expect((await rules.rulesOf(acme))('tools.example.com', 443)).toBe('public');
});
