/** Stands where your model does: it wants two labels, and then tells their results. */
export const model = {
  specificationVersion: 'v3',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    const results = prompt
      .filter(({ role }) => role === 'tool')
      .flatMap(({ content }) => content.filter(({ type }) => type === 'tool-result'));
    return {
      ...(results.length === 0 ? wanted() : said(results)),
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  },
};

const wanted = () => ({
  content: ['sandbox-1', 'sandbox-2'].map((target) => ({
    type: 'tool-call',
    toolCallId: `label-${target}`,
    toolName: 'label_sandbox',
    input: JSON.stringify({ targets: [target] }),
  })),
  finishReason: { unified: 'tool-calls', raw: undefined },
});

const said = (results) => ({
  content: [{ type: 'text', text: results.map(({ output }) => output.value ?? output.type).join('; ') }],
  finishReason: { unified: 'stop', raw: undefined },
});
