import { FakeToolDispatcher } from './fake-tool-dispatcher.js';
import { describeToolDispatcher } from './tool-dispatcher.contract.js';

describeToolDispatcher('FakeToolDispatcher', { name: 'http', answeredBy: 'executor' }, () => {
  const dispatcher = new FakeToolDispatcher();
  return Promise.resolve({
    dispatcher,
    executor: {},
    answers: (answer) => {
      dispatcher.answer = () => {
        if (answer === 'dies') throw new Error('The tool server is gone.');
        if (answer.ok) return { kind: 'succeeded', result: answer.result };
        const { effect, error } = answer;
        return effect === 'unknown' ? { kind: 'unknown', error } : { kind: 'failed', effect, error };
      };
    },
    close: () => Promise.resolve(),
  });
});
