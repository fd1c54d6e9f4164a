/** The types of the client, as the text of a TypeScript module. */
export declare function clientTypes(document: object): Promise<string>;
