/** What two known tools find wrong with a packed library: each answers with sentences, none for a package in order. */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** What publint finds: whether the fields of package.json lead each tool to a file that is there and is what it says. */
export async function publintFaults(archive) {
  const bytes = readFileSync(archive);
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, level: 'suggestion', strict: true });
  return messages.map((message) => `${message.code}: ${formatMessage(message, pkg, { color: false })}`);
}

/**
 * What "Are the types wrong?" finds, but for two things that are so on purpose:
 * - `moduleResolution: node10` knows no `exports`, and so no subpath. Nest 12, which everybody has who has this package, is made
 *   of ES modules, and TypeScript 6 calls that resolution deprecated.
 * - CommonJS gets an ES module. Every Node that `engines` allows can require() one; that this gives the same instance as an
 *   import, and that TypeScript in CommonJS compiles against it, are checks of their own in the smoke test.
 */
export async function typesFaults(archive) {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(archive))));
  if (!result.types) return ['UntypedPackage: it has no types.'];
  return result.problems
    .filter(({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10')
    .map(({ kind, entrypoint, resolutionKind, ...rest }) =>
      entrypoint === undefined
        ? `${kind}: ${JSON.stringify(rest)}`
        : `${kind}: ${entrypoint}, as ${resolutionKind} sees it`,
    );
}
