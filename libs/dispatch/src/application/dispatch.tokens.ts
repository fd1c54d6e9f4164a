/** Names that an application's container knows the ports by: interfaces have none at run time. */
export const TOOL_DISPATCHER = Symbol('ToolDispatcher');
export const GRANT_REVOKER = Symbol('GrantRevoker');
export const GUARDED_FETCH = Symbol('GuardedFetch');
