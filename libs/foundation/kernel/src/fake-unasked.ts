/**
 * A port of which the tests of a world reach the given members alone: any other throws, and names itself. The cast: the proxy
 * answers for each member that is not given.
 */
export const unasked = <Port extends object>(given: NoInfer<Partial<Port>> = {}): Port =>
  new Proxy(given, {
    get: (members, name) => {
      // A promise that resolves to the port asks it for `then`.
      if (name in members || name === 'then') return Reflect.get(members, name) as unknown;
      return () => {
        throw new Error(`No test of this world asks for ${String(name)}.`);
      };
    },
  }) as Port;
