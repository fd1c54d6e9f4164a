import { interactionSchema, readInteraction, senderOf } from './interaction.js';
import { MODAL_ACTIONS, REQUEST_ACTIONS } from './render-request.js';

const BUTTON = {
  type: 'block_actions',
  api_app_id: 'A1',
  team: { id: 'T1' },
  trigger_id: '1.2',
  user: { id: 'UADA' },
  channel: { id: 'C1' },
  actions: [{ action_id: 'countersign.approve', value: 'v1' }],
};
const METADATA = JSON.stringify({ value: 'v1', channel: 'C1' });
const MODAL = {
  type: 'view_submission',
  user: { id: 'UADA' },
  view: {
    callback_id: 'countersign.reject',
    private_metadata: METADATA,
    state: { values: { 'countersign.comment': { comment: { value: 'not now' } } } },
  },
};
const viewWith = (change: object) => ({ ...MODAL, view: { ...MODAL.view, ...change } });
const SENDER = { user: 'UADA', team: 'T1', channel: 'C1' };

describe('the sender of a payload', () => {
  it('is the app and the workspace that it names', () => {
    expect(senderOf(BUTTON)).toEqual({ app: 'A1', team: 'T1' });
  });

  it.each([
    ['without an app', { ...BUTTON, api_app_id: undefined }],
    ['with an app that Slack never names so', { ...BUTTON, api_app_id: "A' or 1" }],
    ['without a workspace', { ...BUTTON, team: null }],
    ['that is nothing', null],
  ])('is unknown of a payload %s', (_what, payload) => {
    expect(senderOf(payload)).toBeNull();
  });
});

describe('an interaction', () => {
  it.each([...REQUEST_ACTIONS])('is the button %s', (action) => {
    const read = readInteraction({ ...BUTTON, actions: [{ action_id: `countersign.${action}`, value: 'v1' }] }, 'T1');
    expect(read).toEqual({ kind: 'button', action, value: 'v1', trigger: '1.2', ...SENDER });
    expect(interactionSchema.parse(read)).toEqual(read);
  });

  it.each([
    ['names no workspace of the user', {}, undefined, 'T1'],
    ['names its own workspace', { team_id: 'T1' }, undefined, 'T1'],
    ['names its organisation', { team_id: 'E1' }, 'E1', 'T1'],
    ['names another workspace', { team_id: 'T2' }, undefined, 'T2'],
    ['names a sister workspace of its organisation', { team_id: 'T2' }, 'E1', 'T2'],
    ['names another organisation', { team_id: 'E2' }, 'E1', 'E2'],
  ])('T13: is of that workspace alone if Slack %s', (_what, home, organisation, team) => {
    const by = { user: { id: 'UADA', ...home }, team: { id: 'T1', enterprise_id: organisation } };
    for (const payload of [BUTTON, MODAL])
      expect(readInteraction({ ...payload, ...by }, 'T1')).toMatchObject({ user: 'UADA', team });
  });

  it('has an empty value for a button without one', () => {
    const read = readInteraction({ ...BUTTON, actions: [{ action_id: 'countersign.approve' }] }, 'T1');
    expect(read).toMatchObject({ value: '' });
  });

  it.each([...MODAL_ACTIONS])('is the text of a modal: %s', (action) => {
    const read = readInteraction(viewWith({ callback_id: `countersign.${action}` }), 'T1');
    expect(read).toEqual({ kind: 'comment', action, value: 'v1', comment: 'not now', ...SENDER });
    expect(interactionSchema.parse(read)).toEqual(read);
  });

  it.each([{}, { 'countersign.comment': {} }, { 'countersign.comment': { comment: { value: null } } }])(
    'has an empty comment if the modal has none: %j',
    (values) => {
      expect(readInteraction(viewWith({ state: { values } }), 'T1')).toMatchObject({ comment: '' });
    },
  );

  it.each([
    ['a button that opens a page', { ...BUTTON, actions: [{ action_id: 'countersign.open' }] }],
    ['a button of another app', { ...BUTTON, actions: [{ action_id: 'approve' }] }],
    ['two buttons at once', { ...BUTTON, actions: [...BUTTON.actions, ...BUTTON.actions] }],
    ['no button', { ...BUTTON, actions: [] }],
    ['a button outside a conversation', { ...BUTTON, channel: undefined }],
    [
      'a value that is too long',
      { ...BUTTON, actions: [{ action_id: 'countersign.approve', value: 'x'.repeat(2_101) }] },
    ],
    ['the modal of an approval', viewWith({ callback_id: 'countersign.approve' })],
    ['the modal of an "always"', viewWith({ callback_id: 'countersign.always' })],
    ['another modal', viewWith({ callback_id: 'reject' })],
    ['a modal with a context that is no JSON', viewWith({ private_metadata: '{' })],
    ['a modal with a context without its channel', viewWith({ private_metadata: '{"value":"v1"}' })],
    ['a modal with more in its context', viewWith({ private_metadata: '{"value":"v1","channel":"C1","user":"U"}' })],
    ['another kind of interaction', { type: 'shortcut' }],
    ['nothing', null],
  ])('is not for Countersign: %s', (_what, payload) => {
    expect(readInteraction(payload, 'T1')).toBeNull();
  });
});
