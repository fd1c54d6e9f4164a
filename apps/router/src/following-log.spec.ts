import { followingLog } from './following-log.js';

describe('the log of a followed cell', () => {
  const logged = () => {
    const [debug, info, warn] = [jest.fn(), jest.fn(), jest.fn()];
    return { info, warn, tell: followingLog({ debug, info, warn }, 'eu1') };
  };
  const textsOf = ({ mock }: jest.Mock): readonly unknown[] => mock.calls.map(([, text]: unknown[]) => text);

  it('names slugs that another cell holds when they change, and not at each reading', () => {
    const { info, warn, tell } = logged();
    for (const taken of [['acme'], ['acme'], ['acme', 'beta'], [], ['acme']])
      tell.onFilled({ served: 2, added: 0, removed: 0, taken });
    expect(warn.mock.calls.map(([{ slugs }]: [{ slugs: string[] }]) => slugs)).toEqual([
      ['acme'],
      ['acme', 'beta'],
      ['acme'],
    ]);
    expect(info).not.toHaveBeenCalled();
  });

  it('tells of its absence once, at any number of tries, and of its return', () => {
    const { info, warn, tell } = logged();
    const nothing = { served: 2, added: 0, removed: 0, taken: [] };
    tell.onFilled(nothing);
    for (let times = 0; times < 5; times += 1) tell.onError(new Error('refused'));
    expect(textsOf(warn)).toEqual(['the cell or the map cannot be read; both are tried again']);
    expect(info).not.toHaveBeenCalled();
    tell.onFilled(nothing);
    tell.onFilled(nothing);
    expect(textsOf(info)).toEqual(['the cell and the map are read again']);
    tell.onError(new Error('refused'));
    tell.onError(new Error('the map has no such cell'));
    tell.onError(new Error('the map has no such cell'));
    expect(textsOf(warn)).toHaveLength(3);
  });

  it('counts the changes of a filling', () => {
    const { info, tell } = logged();
    tell.onFilled({ served: 2, added: 2, removed: 1, taken: [] });
    expect(info.mock.calls).toEqual([
      [{ cell: 'eu1', added: 2 }, 'tenants are new in the map'],
      [{ cell: 'eu1', removed: 1 }, 'Slack workspaces left the map'],
    ]);
  });
});
