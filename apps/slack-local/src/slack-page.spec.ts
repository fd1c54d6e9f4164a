import { page } from './slack-page.js';
import type { LocalEphemeral, LocalModal, Workspace } from './workspace.js';

const paragraph = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});
const offered: LocalEphemeral = { channel: 'C1', user: 'U1', text: '', blocks: [paragraph('Link <your> account')] };

const asks = {
  title: { text: 'Reject' },
  submit: { text: 'Reject it' },
  blocks: [paragraph('a call of <b>rm</b>'), { type: 'input', label: { text: 'What is wrong with it?' } }],
};

const workspaceWith = (ephemerals: readonly LocalEphemeral[], view: LocalModal['view'] = asks): Workspace => ({
  workspace: {
    ...{ teamId: 'T1', teamName: 'Acme', appId: 'A1', clientId: '', clientSecret: '', signingSecret: '', botToken: '' },
    channels: { C1: 'production' },
    users: { U1: 'Sam', U2: 'Lea' },
  },
  ephemerals,
  modals: [{ id: 'V1', user: 'U1', view }],
  in: () => [],
  thread: () => [],
});

describe('the page of the local Slack', () => {
  it('shows a message for one person to them alone, as text, until they dismiss it', () => {
    expect(page(workspaceWith([offered]), 'U1', false)).toContain('Link &lt;your&gt; account');
    expect(page(workspaceWith([offered]), 'U2', false)).not.toContain('account');
    expect(page(workspaceWith([{ ...offered, dismissed: true }]), 'U1', false)).not.toContain('account');
  });

  it('draws the sign of a risk, which few servers have a font for', () => {
    const message = { ...offered, blocks: [paragraph('🔴 CRITICAL RISK')] };
    expect(page(workspaceWith([message]), 'U1', false)).toMatch(
      /<span role="img" aria-label="🔴"[^>]*><\/span> CRITICAL/,
    );
  });

  it('shows a modal with its question and its button', () => {
    const shown = page(workspaceWith([]), 'U1', false);
    expect(shown).toContain('a call of &lt;b&gt;rm&lt;/b&gt;');
    expect(shown).toContain('<label>What is wrong with it?<textarea');
    expect(shown).toContain('>Reject it</button>');
    expect(page(workspaceWith([]), 'U2', false)).not.toContain('What is wrong');
  });

  it('shows a modal without a field with a button that closes it', () => {
    const view = { title: { text: 'Approve' }, close: { text: 'Close' }, blocks: [paragraph('open the page')] };
    const shown = page(workspaceWith([], view), 'U1', false);
    expect(shown).toContain('<button>Close</button>');
    expect(shown).not.toContain('<textarea');
  });

  it('looks again once, if something is about to come', () => {
    expect(page(workspaceWith([]), 'U2', true)).toContain('content="2;url=/?as=U2"');
    expect(page(workspaceWith([]), 'U2', false)).not.toContain('http-equiv');
  });
});
