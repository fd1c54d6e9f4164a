import { KeyringKeyWrapping } from '../adapters/keyring-key-wrapping.js';
import { FakeKeyring } from './fake-keyring.js';
import { SealedTexts } from './sealed-texts.js';

const texts = new SealedTexts(new KeyringKeyWrapping(new FakeKeyring()));

it.each(['', 'gh', 'p_ä\0€'])('gives the text %j back for its row, and hides it', async (text) => {
  const sealed = await texts.seal('runner-output:1', text);
  expect(await texts.open('runner-output:1', sealed)).toBe(text);
  expect(sealed).not.toBe(await texts.seal('runner-output:1', text));
  expect(sealed).toMatch(/^[^.]+\.[\w-]{16}\.[\w-]{22,}$/);
  await expect(texts.open('runner-output:2', sealed)).rejects.toThrow('unable to authenticate');
});

it.each(['gh', 'k1.gh', 'k1..', 'k1.gh.gh.gh'])('opens no text that is not sealed: %j', async (text) => {
  await expect(texts.open('runner-output:1', text)).rejects.toThrow('is not sealed');
});
