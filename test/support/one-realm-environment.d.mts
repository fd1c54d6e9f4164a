/** Types of one-realm-environment.mjs, for its test. */
export default class OneRealmEnvironment {
  /** @param files of this kind of tests; without it V8 optimizes as usual. */
  constructor(files?: { readonly projectConfig: { readonly displayName?: { readonly name: string } } });
  setup(): Promise<void>;
  teardown(): Promise<void>;
}
