import { apiRoutes, fillPath } from '../support/api-routes.js';
import { testApi, type TestApi, type TestPerson } from '../support/api.js';

let api: TestApi;
let person: TestPerson;

beforeAll(async () => {
  api = await testApi();
  const tenant = await api.tenant();
  person = await api.person(tenant, 'PlatformAdmin', 'SRELead', 'SecurityReviewer');
});
afterAll(() => api.close());

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly type?: string | string[]; readonly maximum?: number; readonly minimum?: number };
}

const isInteger = ({ schema }: Parameter): boolean => [schema?.type].flat().includes('integer');
const VALUES = ['2147483648', '9007199254740990', '9223372036854775808', '-2147483649', '1e300'];

describe('T59: a number beyond the range of its column', () => {
  it('is 400 with the member on every route that takes a number in its address, never 500', async () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const route of await apiRoutes(api)) {
      if (route.method !== 'GET') continue;
      const parameters = ((route.operation.parameters ?? []) as readonly Parameter[]).filter(
        ({ in: location }) => location === 'query' || location === 'path',
      );
      for (const parameter of parameters.filter(isInteger)) {
        for (const value of VALUES) {
          const given = (one: Parameter): string => (one.name === parameter.name ? value : isInteger(one) ? '1' : 'x');
          const path = fillPath(
            route,
            Object.fromEntries(parameters.filter((one) => one.in === 'path').map((one) => [one.name, given(one)])),
          );
          const query = parameters
            .filter((one) => one.in === 'query' && (one.name === parameter.name || (one.required && isInteger(one))))
            .map((one) => `${one.name}=${given(one)}`)
            .join('&');
          const { status, text } = await api.http(person.token).get(`${path}${query === '' ? '' : `?${query}`}`);
          tried += 1;
          const max = parameter.schema?.maximum ?? Number.MAX_SAFE_INTEGER;
          const beyond = Number(value) > max || Number(value) < (parameter.schema?.minimum ?? -Infinity);
          // In a path it names something that is not there.
          if (parameter.in === 'path' && status === 404) continue;
          if (status >= 500 || (beyond && (![400, 422].includes(status) || !text.includes(parameter.name))))
            wrong.push(`${route.method} ${path}?${query}: ${String(status)} ${text}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(100);
  });
});
