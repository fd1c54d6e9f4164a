/** The command that starts the public conformance suite of MCP: a Node and its program. Null if it is not installed. */
export function findSuite(): [string, string] | null;
