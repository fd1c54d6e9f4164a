/** The path of the API of each kind of connection. */
export type ConnectionPath = '/v1/siem-collector' | '/v1/embedder';
