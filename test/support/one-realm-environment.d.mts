/** Types of one-realm-environment.mjs, for its test. */
export default class OneRealmEnvironment {
  setup(): Promise<void>;
  teardown(): Promise<void>;
}
