import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const top = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, top), 'utf8');

interface LockedPackage {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
}

describe.each(['web', 'tests'])('%s/package-lock.json', (folder) => {
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`)) as { packages: Record<string, LockedPackage> };
  const fromRegistry = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link);

  it('has the hash of every package, so that what is installed is what was tried', () => {
    expect(fromRegistry.length).toBeGreaterThan(50);
    expect(fromRegistry.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
  });

  it('names no host to fetch from: everybody uses the registry that is set up', () => {
    expect(fromRegistry.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

describe('the package of the wrapper', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: fileURLToPath(new URL('wasm', top)),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { files: { path: string }[] }[];
  const files = packed!.files.map(({ path }) => path);

  it('carries its licence, that of the whole project, and the notices of what is compiled into it', () => {
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'third-party.json', 'headwise.mjs', 'headwise.d.ts']));
    expect(files.some((path) => path.endsWith('headwise-module.wasm'))).toBe(true);
    expect(read('wasm/LICENSE')).toBe(read('LICENSE'));
  });

  it('names the licence of every part, with its text where that has to travel along', () => {
    const notices = JSON.parse(read('wasm/third-party.json')) as { name: string; licence: string; text?: string }[];
    expect(notices.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([
      'Eigen: MPL-2.0',
      'Emscripten runtime: MIT or University of Illinois/NCSA',
      'musl: MIT',
      'LLVM libc++, libc++abi and compiler-rt: Apache-2.0 with LLVM exception',
    ]);
    for (const { licence, text } of notices)
      if (licence.startsWith('MIT')) expect(text).toContain('Permission is hereby granted');
  });
});
