import type { ModalView } from '@slack/types';
import { askedBy, requestSections, requestUrl, titleOf, type RequestMessage } from '#lib/delivery';
import type { Failure } from '#lib/kernel';
import { callMessage, message } from '../../../delivery/src/domain/fake-request-message.js';
import { SLACK_LIMITS, type SlackContent } from './block-kit.js';
import {
  renderModal,
  renderLinkOffer,
  renderNotice,
  renderRefusal,
  renderRunNews,
  renderShort,
  renderWord,
} from './render-replies.js';
import type { ModalAction } from './render-request.js';

/** The texts that a reader sees, without the ends of lines. */
const textsOf = ({ blocks }: Pick<SlackContent, 'blocks'>): string =>
  [...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)]
    .flatMap(([, text = '']) => (text === '\\n' ? [] : text))
    .join('|');
const SITE = 'https://countersign.example';
const URL = `${SITE}/requests/1`;

describe('a refusal for the user who clicked', () => {
  const refusal: Failure = {
    kind: 'forbidden',
    code: 'approval.not_eligible',
    message: 'You may not review this.',
    action: 'Ask somebody else.',
    reasons: [
      { code: 'a', message: 'You may not review this.', rule: 'r' },
      { code: 'b', message: 'The agent is yours.', rule: 'r' },
    ],
  };

  it('holds the message once, the other reasons and the next step', () => {
    const rendered = renderRefusal(refusal);
    expect(rendered.text).toBe('You may not review this.');
    expect(textsOf(rendered).split('|')).toEqual([
      ...['You may not review this.', 'The agent is yours.', 'Ask somebody else.'],
    ]);
  });

  it('holds the message alone if there is no more to say', () => {
    const { kind, code, message } = refusal;
    expect(textsOf(renderRefusal({ kind, code, message }))).toBe(message);
  });
});

describe('words in Slack', () => {
  it('are inert: no mention, link or markup of Slack is made of them', () => {
    const { text } = renderWord('<!channel> & <https://evil.example|here>');
    expect(text).toBe('&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;');
  });

  it('show characters that are not seen', () => {
    expect(renderWord('a\u202eb').text).toBe('a⟦U+202E⟧b');
  });

  it('are cut at the limit of Slack', () => {
    expect(renderWord('x'.repeat(5_000)).text.length).toBeLessThanOrEqual(SLACK_LIMITS.sectionText);
  });
});

describe('the offer of a link', () => {
  it('is a button that opens the address', () => {
    const { blocks } = renderLinkOffer(URL);
    expect(blocks.at(-1)).toMatchObject({ type: 'actions', elements: [{ action_id: 'countersign.link', url: URL }] });
  });
});

describe('the modal of a comment', () => {
  it.each([
    ['reject', 'Reject'],
    ['request_changes', 'Request changes'],
  ] as const)('asks for it, and carries its context: %s', (action, title) => {
    const modal = renderModal(action, { value: 'v1', channel: 'C1' }, null, SITE);
    expect(modal).toMatchObject({
      ...{ type: 'modal', callback_id: `countersign.${action}`, title: { text: title }, submit: { text: title } },
      private_metadata: '{"value":"v1","channel":"C1"}',
      blocks: [{ type: 'input', block_id: 'countersign.comment', element: { action_id: 'comment', min_length: 1 } }],
    });
  });

  it('takes a rejection of a call without a word, and no destructive call without the word', () => {
    const context = { value: 'v1', channel: 'C1' };
    const [reject] = renderModal('reject_call', context, null, SITE).blocks;
    expect(reject).toMatchObject({ optional: true, label: { text: 'What is wrong with it?' } });
    expect(renderModal('confirm', context, null, SITE)).toMatchObject({
      ...{ callback_id: 'countersign.confirm', title: { text: 'Approve' } },
      blocks: [{ optional: false, label: { text: 'This call destroys something. Type CONFIRM to approve it.' } }],
    });
  });
});

describe('a modal about a request', () => {
  const modal = (action: ModalAction, about: RequestMessage): ModalView =>
    renderModal(action, { value: 'v1', channel: 'C1' }, about, SITE);

  it('begins with its title and gist, and ends with the field', () => {
    for (const [action, about] of [
      ['reject', message()],
      ['reject_call', callMessage()],
    ] as const) {
      const { blocks } = modal(action, about);
      expect(blocks).toMatchObject([
        { type: 'header', text: { text: titleOf(about) } },
        { type: 'rich_text' },
        { type: 'input' },
      ]);
      expect(textsOf({ blocks } as Pick<SlackContent, 'blocks'>)).toContain(askedBy(about));
    }
  });

  it('says in a line which call it rejects', () => {
    const { call } = callMessage();
    const about = callMessage({
      call: { ...call, arguments: { command: `rm -r \u202e${'x'.repeat(400)}`, depth: 2 } },
    });
    const { blocks } = modal('reject_call', about);
    const text = textsOf({ blocks } as Pick<SlackContent, 'blocks'>);
    expect(text).toContain('command: \\"rm -r ');
    expect(text).not.toContain('\u202e');
    expect(text.length).toBeLessThan(titleOf(about).length + 400);
  });

  it('shows all that a typed word approves, and no "always", which has no button there', () => {
    const about = callMessage({ always: null, confirmWord: 'CONFIRM' });
    const { blocks } = modal('confirm', { ...about, always: { program: 'git' } });
    expect(textsOf({ blocks } as Pick<SlackContent, 'blocks'>)).not.toContain('Always');
    const text = JSON.stringify(blocks);
    for (const { spans } of requestSections(about).flat()) {
      for (const span of spans)
        if (span.type === 'text') expect(text).toContain(JSON.stringify(span.text).slice(1, -1));
    }
    expect(blocks.at(-1)?.type).toBe('input');
  });

  it('asks for no confirming word if it cannot show the call in full, and links to the page', () => {
    const { call } = callMessage();
    const about = callMessage({
      confirmWord: 'CONFIRM',
      call: { ...call, arguments: { command: 'x'.repeat(15_000) } },
    });
    const { submit, callback_id: callback, blocks } = modal('confirm', about);
    expect([submit, callback]).toEqual([undefined, undefined]);
    expect(blocks).toMatchObject([
      { type: 'header', text: { text: titleOf(about) } },
      { type: 'rich_text' },
      { type: 'actions', elements: [{ action_id: 'countersign.open', url: requestUrl(SITE, about.id) }] },
    ]);
    expect(JSON.stringify(blocks)).toMatch(/This cannot be approved here.*characters of it do not fit/);
  });
});

describe('news', () => {
  const content = { title: 'Approved', lines: [], closing: [], url: URL };

  it('of a run have no button, and those of a request open it', () => {
    expect(textsOf(renderRunNews(content))).toBe('Approved');
    const { text, blocks } = renderShort('1', content);
    expect(text).toBe('Approved.');
    expect(blocks.at(-1)).toMatchObject({ block_id: 'countersign.news.1', elements: [{ url: URL }] });
  });

  it('of a notice say that there is more if it is cut', () => {
    const notice = { title: 'Sam asks', done: null, words: null, url: URL };
    const short = renderNotice({ ...notice, lines: ['one'] });
    const long = renderNotice({ ...notice, lines: Array.from({ length: 400 }, () => 'x'.repeat(200)) });
    expect(textsOf(short)).not.toContain('There is more to it');
    expect(textsOf(long)).toContain('There is more to it: open it.');
    expect(long.blocks.at(-1)).toMatchObject({ block_id: 'countersign.notice', elements: [{ url: URL }] });
    expect(long.blocks.length).toBeLessThanOrEqual(50);
  });
});
