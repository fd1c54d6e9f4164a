import type { TenantId } from '#lib/kernel';
import type { TenantDirectory } from './sign-in.ports.js';

/** The contract of a directory of tenants. @param open an installation without tenants. */
export function describeTenantDirectory(
  name: string,
  open: () => Promise<{
    readonly directory: TenantDirectory;
    readonly found: (slug: string) => Promise<TenantId>;
    readonly close: () => Promise<void>;
  }>,
): void {
  it(`${name} keeps the contract of TenantDirectory`, async () => {
    const { directory, found, close } = await open();
    expect(await directory.any()).toBe(false);
    expect(await directory.only()).toBeNull();
    expect(await directory.bySlug('acme')).toBeNull();
    const acme = await found('acme');
    expect(await directory.any()).toBe(true);
    expect(await directory.only()).toBe(acme);
    const globex = await found('globex');
    expect(await directory.any()).toBe(true);
    expect(await directory.only()).toBeNull();
    expect(await directory.bySlug('acme')).toBe(acme);
    expect(await directory.bySlug('globex')).toBe(globex);
    expect(await directory.bySlug('Acme')).toBeNull();
    await close();
  });
}
