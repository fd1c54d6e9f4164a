/** Types of one-realm-environment.mjs, for its test. */
export default class OneRealmEnvironment {
  teardown(): Promise<void>;
}
