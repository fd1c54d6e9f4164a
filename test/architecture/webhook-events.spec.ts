import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityOf } from '../../libs/reach/siem/src/domain/ocsf-activity.js';
import { familyOf } from '../../libs/reach/webhook/src/domain/event-names.js';

const libs = join(__dirname, '../../libs');

/** Sources of libraries that record actions: neither tests nor fakes. */
const sources = readdirSync(libs, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.(spec|contract)\.ts$|\/fake-|node_modules|\/webhook\/src\/domain\//.test(path),
);

/** Actions stand as `action: 'halt.set'`, in conditions after it, as members of types, or as templates with the family first. */
const ACTION = /\baction(?:: |[^\n;]*\? )'([a-z_]+\.[a-z_]+)'|action: `([a-z_]+\.)\$\{|^ {2,}\| '([a-z_]+\.[a-z_]+)'/gm;
/** Names of the same shape that are no actions: reasons of policies. */
const OTHER = ['policy'];

const actions = sources.flatMap((path) => {
  const text = readFileSync(join(libs, path), 'utf8');
  if (!/audit|journal/i.test(text)) return [];
  return [...text.matchAll(ACTION)].map(([, plain, template, typed]) => plain ?? template ?? typed ?? '');
});

describe('every action of the audit log', () => {
  it('is found in the sources', () => {
    expect(new Set(actions).size).toBeGreaterThan(80);
    expect(actions).toEqual(
      expect.arrayContaining(['halt.set', 'tool_call.dispatched', 'incident.', 'approval_request.denied']),
    );
  });

  it('has an event for webhooks, or is marked as internal', () => {
    const unplaced = [...new Set(actions)].filter(
      (action) => familyOf(action) === undefined && !OTHER.includes(action.split('.')[0] ?? ''),
    );
    expect(unplaced).toEqual([]);
  });

  it('has an activity for a SIEM, unless it is internal', () => {
    const sent = actions.filter((action) => !['internal', undefined].includes(familyOf(action) as string | undefined));
    // The rest of these names is in a variable.
    const whole = sent.filter((action) => !action.endsWith('.'));
    expect(whole.filter((action) => activityOf(action) === undefined)).toEqual([]);
  });
});
