import { canonicalJson, type Json } from '#lib/canonical';
import { classifyCommand } from './classify-command.js';

it.each(['rm -rf node_modules', 'ls && cat a.txt > b.txt', 'echo $((1 + 1))', 'if'])(
  'gives a verdict that can be recorded as canonical JSON: %s',
  (command) => {
    const verdict = classifyCommand(command, 'bash');
    // The cast: a verdict is plain JSON, and its interface has no index signature.
    expect(JSON.parse(canonicalJson(verdict as unknown as Json))).toEqual(verdict);
  },
);
