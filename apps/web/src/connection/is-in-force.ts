/** Settings of a server that a tenant names, with those of its kind. */
interface Server {
  readonly url: string;
}

/** Whether a connection has each of the settings that a form asks for. The API keeps an address as a URL is serialized. */
export function isInForce(asked: Server, connection: Server): boolean {
  const inForce = new Map<string, unknown>(Object.entries(connection));
  const { url, ...others } = asked;
  const address = URL.canParse(url) ? new URL(url).href : url;
  return address === connection.url && Object.entries(others).every(([name, value]) => inForce.get(name) === value);
}
