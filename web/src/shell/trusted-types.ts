// The page's policy (build/plugin.ts) lets no text become markup or a program. lit has a rule of its own for its templates; this is the one
// for the rest, which is the address of the worker that trains.

interface Factory {
  createPolicy(name: 'default', rules: { createScriptURL: (address: string) => string | null }): unknown;
}

/** Elements need not know of it, so that they work on pages with other policies. Browsers without trusted types need no rule. */
export function startTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
  });
}
