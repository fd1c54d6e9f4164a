import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { canonicalJson, type Json } from '#lib/canonical';
import { digestOf, digestText, type DigestKind } from './digest.js';
import { isUuid, newId } from './ids.js';
import { actorOf, SCOPES, type AgentPrincipal, type PersonPrincipal } from './principal.js';

const kinds: readonly DigestKind[] = [
  'task',
  'plan',
  'arguments',
  'tool-call',
  'tool',
  'executor',
  'environment',
  'simulation',
  'autonomy',
  'binding',
];

describe('digests', () => {
  it('are SHA-256 over the kind and the canonical text', () => {
    const text = 'countersign:plan:v1\n{"a":[1,true,null,"x"],"b":{}}';
    const expected = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    expect(digestOf('plan', { b: {}, a: [1, true, null, 'x'] })).toBe(expected);
  });

  it('of one kind never pass for another, and one changed character is another digest', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.constantFrom(...kinds),
        fc.string(),
        fc.string(),
        (kind, other, text, another) => {
          expect(digestText(kind, text) === digestText(other, another)).toBe(kind === other && text === another);
        },
      ),
    );
  });

  it('of a value and of its stored text are the same', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (value) => {
        expect(digestOf('arguments', value)).toBe(digestText('arguments', canonicalJson(value)));
      }),
    );
  });

  it('refuse a value without a canonical form', () => {
    expect(() => digestOf('plan', { n: Number.NaN })).toThrow('not finite at /n');
    expect(() => digestOf('plan', undefined as unknown as Json)).toThrow('type undefined');
  });
});

describe('ids', () => {
  it('are UUIDs that sort by the time they were made', () => {
    const ids = Array.from({ length: 1_000 }, () => newId() as string);
    expect(ids.every(isUuid)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    '',
    'x',
    '0198F2A4-7C11-7E1A-9D55-1F2E3D4C5B6A',
    '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a\n',
    '{0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a}',
    '0198f2a47c117e1a9d551f2e3d4c5b6a',
    '0198f2a4-7c11-0e1a-9d55-1f2e3d4c5b6a',
  ])('are not %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});

describe('an actor', () => {
  const person: PersonPrincipal = {
    kind: 'person',
    tenantId: newId(),
    personId: newId(),
    displayName: 'Ada',
    roles: [],
    credentialId: newId(),
    credentialKind: 'person_token',
    scopes: SCOPES,
    signedInAt: null,
  };
  const agent: AgentPrincipal = {
    kind: 'agent',
    tenantId: newId(),
    agentId: newId(),
    displayName: 'bot',
    ownerId: newId(),
    onBehalfOf: person.personId,
    credentialId: newId(),
    scopes: ['submit'],
  };

  it('names the principal, its credential, and the person it acts for', () => {
    expect(actorOf(person)).toEqual({
      kind: 'person',
      id: person.personId,
      display_name: 'Ada',
      credential_id: person.credentialId,
      on_behalf_of: null,
    });
    expect(actorOf(agent)).toMatchObject({ kind: 'agent', id: agent.agentId, on_behalf_of: person.personId });
    expect(actorOf({ kind: 'system', tenantId: newId(), name: 'run-executor' })).toMatchObject({
      kind: 'system',
      id: 'run-executor',
      credential_id: null,
    });
  });
});
