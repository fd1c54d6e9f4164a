import { Usage } from '@openai/agents';

/** Stands where your model does: it wants two labels, and then tells their results. */
export const model = {
  getResponse: async ({ input }) => {
    const results = input.filter(({ type }) => type === 'function_call_result');
    return { usage: new Usage(), output: results.length === 0 ? wanted() : said(results) };
  },
};

const wanted = () =>
  ['sandbox-1', 'sandbox-2'].map((target) => ({
    type: 'function_call',
    callId: `label-${target}`,
    name: 'label_sandbox',
    arguments: JSON.stringify({ targets: [target] }),
    status: 'completed',
  }));

const textOf = ({ output }) => (typeof output === 'string' ? output : output.text);
const said = (results) => [
  {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: results.map(textOf).join('; ') }],
  },
];
