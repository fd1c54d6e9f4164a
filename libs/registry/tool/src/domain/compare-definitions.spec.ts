import type { ToolDocument } from '#lib/formats';
import { sampleTool } from '../application/fake-tool.js';
import { compareDefinitions } from './compare-definitions.js';

const TARGETS = { type: 'object' as const, properties: { targets: { type: 'array', items: { type: 'string' } } } };
/** A tool that changes servers of test environments. */
const definition = (members: Partial<ToolDocument> = {}) =>
  sampleTool('roll', {
    risk: 'state_change_nonprod',
    effect: 'modify',
    idempotent: false,
    scope: 'environment',
    simulated_by: 'look',
    identity_fields: ['/targets'],
    parameters: TARGETS,
    requires_hitl: 'configurable',
    ...members,
  }).definition;

describe('two versions of a tool', () => {
  it.each<[string, Partial<ToolDocument>, Partial<ToolDocument>, readonly string[]]>([
    [
      'risk',
      { risk: 'state_change_prod', requires_hitl: 'always' },
      {},
      [
        'risk goes down from state_change_prod to state_change_nonprod',
        'requires_hitl goes down from always to configurable',
      ],
    ],
    ['effect', { effect: 'destructive' }, {}, ['effect goes down from destructive to modify']],
    ['scope', { scope: 'organization' }, {}, ['scope goes down from organization to environment']],
    ['requires_hitl', { requires_hitl: 'always' }, {}, ['requires_hitl goes down from always to configurable']],
    ['requires_plan', { requires_plan: true }, { requires_plan: false }, ['it no longer needs a plan']],
    [
      'simulation_secrets',
      {},
      { simulation_secrets: true },
      ['its simulation is given secrets, before anybody approves'],
    ],
    ['surface', { surface: 'git' }, {}, ['level goes down from high to medium']],
    ['canary', {}, { canary: true }, ['it may run where only canaries may']],
    ['idempotent', {}, { idempotent: true }, ['it may be retried']],
  ])('loosen by %s in one direction alone', (field, strict, loose, loosens) => {
    const [before, after] = [definition(strict), definition(loose)];
    const loosened = compareDefinitions(before, after);
    expect(loosened.fields).toContain(field);
    expect(loosened.loosens).toEqual(expect.arrayContaining([...loosens]));
    expect(compareDefinitions(after, definition({ ...loose, description: 'x' })).loosens).toEqual([]);
    const tightened = compareDefinitions(after, before);
    expect(tightened.fields).toContain(field);
    expect(tightened.loosens).toEqual([]);
  });

  it.each<[string, Partial<ToolDocument>, string]>([
    ['simulated_by', { simulated_by: 'watch' }, 'another tool predicts what it does'],
    ['executor', { executor: 'elsewhere' }, 'another executor carries it out'],
    ['identity_fields', { identity_fields: [] }, 'what it touches is read from other fields'],
    [
      'parameters',
      { parameters: { ...TARGETS, required: ['targets'] }, identity_fields: ['/targets'] },
      'other arguments are accepted',
    ],
  ])('loosen by %s in both directions', (field, members, loosening) => {
    for (const [before, after] of [
      [definition(), definition(members)],
      [definition(members), definition()],
    ] as const)
      expect(compareDefinitions(before, after)).toMatchObject({
        fields: expect.arrayContaining([field]) as unknown,
        loosens: expect.arrayContaining([loosening]) as unknown,
      });
  });

  it('loosen by shell in both directions', () => {
    const line = { type: 'object', properties: { line: { type: 'string' } } };
    const plain = { surface: 'terminal' as const, identity_fields: [], parameters: line };
    const [without, judged] = [definition(plain), definition({ ...plain, shell: { argument: '/line' } })];
    const change = { fields: ['shell'], loosens: ['its command line is judged in another way'] };
    expect(compareDefinitions(without, judged)).toEqual(change);
    expect(compareDefinitions(judged, without)).toEqual(change);
  });

  it('loosen by a path that is no longer judged, and by no path that now is', () => {
    const names = { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } };
    const paths = (of?: ToolDocument['path_arguments']) =>
      definition({ identity_fields: [], parameters: names, ...(of === undefined ? {} : { path_arguments: of }) });
    const fields = ['path_arguments'];
    const [none, read, written] = [paths(), paths({ reads: ['/from'] }), paths({ writes: ['/from', '/to'] })];
    for (const [before, after] of [
      [none, read],
      [none, written],
      [read, written],
    ] as const)
      expect(compareDefinitions(before, after)).toEqual({ fields, loosens: [] });
    expect(compareDefinitions(read, none)).toEqual({ fields, loosens: ['/from is no longer judged as a path'] });
    // A write is judged more strictly than a read.
    expect(compareDefinitions(written, read).loosens).toEqual(['/from, /to is no longer judged as a path']);
  });

  it.each<[string, Partial<ToolDocument>]>([
    ['description', { description: 'Rolls gently.' }],
    ['surface', { surface: 'network' }],
    ['result_schema', { result_schema: { type: 'object' } }],
    ['time_limit_seconds', { time_limit_seconds: 90 }],
    ['parameters', { parameters: { ...TARGETS, description: 'The servers.' } }],
  ])('loosen nothing by %s', (field, members) => {
    expect(compareDefinitions(definition(), definition(members))).toEqual({ fields: [field], loosens: [] });
  });

  it('lose their simulation', () => {
    const exempt = { idempotent: true, scope: 'asset' as const, simulated_by: null };
    const before = definition(exempt);
    const after = definition({ ...exempt, simulation: 'not_applicable' });
    expect(compareDefinitions(before, after)).toEqual({
      fields: ['simulation'],
      loosens: ['it is approved and executed without a simulation'],
    });
    expect(compareDefinitions(after, before).loosens).toEqual([]);
  });
});
