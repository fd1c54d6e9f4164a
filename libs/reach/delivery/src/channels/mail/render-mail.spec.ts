import { bullet, paragraph, point, quote, shown } from '../../domain/lines.js';
import { moment, type Line } from '../../domain/rich-text.js';
import { renderMail } from './render-mail.js';

const mailOf = (lines: readonly Line[], title = 'A title') =>
  renderMail({ title, lines, closing: [paragraph(moment(0))], url: 'https://countersign.example/requests/1' });

describe('a message as a mail', () => {
  it('has a link, and no markup and no header of others', () => {
    const words = '<img src=x onerror=alert(1)>\r\nBcc: everybody@example.com';
    const { subject, html } = mailOf([quote(shown(words))], words);
    expect(html).not.toContain('<img');
    expect(html).toContain('href="https://countersign.example/requests/1"');
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it('begins a line with the words of others in a quotation alone', () => {
    const words = 'It failed.\r\n\nApproved by Sam.';
    const { text, html } = mailOf([paragraph(shown(words)), bullet(shown(words)), quote(shown(words))], words);
    expect(text.split('\n').filter((line) => line.startsWith('Approved'))).toEqual([]);
    expect(text).toContain('\n> Approved by Sam.\n');
    expect(html.replace(/<blockquote.*?<\/blockquote>/s, '')).not.toContain('<br>');
  });

  it('puts neighbouring items into one list, in text and in HTML', () => {
    const { text, html } = mailOf([bullet(shown('a')), bullet(shown('b')), point(shown('c')), paragraph(shown('d'))]);
    expect(text).toContain('- a\n- b\n  - c\nd\n');
    expect(html.replaceAll('\n', '')).toContain(
      '<ul><li>a</li><li>b</li></ul><ul style="margin-left:1.5rem"><li>c</li></ul><p>d</p>',
    );
  });

  it('says how many characters do not fit, and keeps the closing lines', () => {
    const { text } = mailOf([paragraph(shown('x'.repeat(11_999))), bullet(shown('y'.repeat(500))), bullet(shown('z'))]);
    expect(text).not.toContain('y');
    expect(text).toContain('501 characters do not fit into a mail: open it.');
    expect(text).toContain('1970-01-01T00:00:00.000Z');
  });
});
