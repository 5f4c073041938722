// The licences of what the page ships: found from the modules that were bundled, so that the list cannot go stale.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { escapeHtml } from './html.ts';

export interface Notice {
  readonly name: string;
  readonly version?: string;
  readonly licence: string;
  readonly homepage?: string;
  /** What it does here. */
  readonly part: string;
  /** The licence's full text, where it has to travel along. */
  text?: string;
}

/** What is compiled into the WebAssembly module; the module's own package carries the same list. */
const moduleNotices = JSON.parse(
  readFileSync(new URL('../../../wasm/third-party.json', import.meta.url), 'utf8'),
) as readonly Notice[];

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: string | { readonly url?: string };
}

function packageFolder(moduleId: string): string | undefined {
  const match = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(moduleId.replace(/^\0/, ''));
  return match?.[1];
}

function licenceText(folder: string): string | undefined {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name));
  return file && readFileSync(join(folder, file), 'utf8').trim();
}

function noticeOf(folder: string, part: string): Notice {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
  const repository = typeof about.repository === 'string' ? about.repository : about.repository?.url;
  const homepage = about.homepage ?? repository?.replace(/^git\+/, '').replace(/\.git$/, '');
  const text = licenceText(folder);
  return {
    name: about.name,
    version: about.version,
    licence: about.license ?? 'see its licence',
    part,
    ...(homepage?.startsWith('https://') ? { homepage } : {}),
    ...(text ? { text } : {}),
  };
}

/** Packages with a module among `moduleIds` (absolute paths), and what is compiled into the WebAssembly module. */
export function shippedNotices(moduleIds: Iterable<string>): Notice[] {
  const folders = new Set<string>();
  for (const id of moduleIds) {
    const folder = packageFolder(id);
    if (folder && existsSync(join(folder, 'package.json'))) folders.add(folder);
  }
  const packages = [...folders].sort().map((folder) => noticeOf(folder, 'in the page'));
  return [...moduleNotices, ...packages];
}

/** Packages that leave their output in the page without being in it. */
export function toolNotices(webRoot: string): Notice[] {
  const about = JSON.parse(readFileSync(join(webRoot, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const parts: Record<string, string> = {
    parse5: 'reads and writes the HTML of the lessons when the page is built',
    'markdown-it': 'turns the lessons into HTML when the page is built',
    temml: 'turns the formulas into MathML when the page is built',
    vite: 'bundles the page',
    yaml: "reads the lessons' front matter when the page is built",
  };
  return Object.keys(about.devDependencies)
    .filter((name) => name in parts)
    .map((name) => join(webRoot, 'node_modules', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => {
      // Nothing of theirs is passed on, so the name is enough.
      const notice = noticeOf(folder, parts[basename(folder)]!);
      delete notice.text;
      return notice;
    });
}

export function noticesHtml(notices: readonly Notice[]): string {
  const items = notices.map(({ name, version, licence, homepage, part }) => {
    const title = escapeHtml(version ? `${name} ${version}` : name);
    const linked = homepage ? `<a href="${escapeHtml(homepage)}">${title}</a>` : title;
    return `<li>${linked} <span class="notice-licence">${escapeHtml(licence)}</span><br /><span class="notice-part">${escapeHtml(part)}</span></li>`;
  });
  return `<ul class="notices">${items.join('\n')}</ul>`;
}

/** The text file that carries the licences along, as most of them ask. */
export function noticesText(notices: readonly Notice[]): string {
  const sections = notices.map(({ name, version, licence, homepage, part, text }) =>
    [`${name}${version ? ` ${version}` : ''} (${licence})`, homepage, part, text && `\n${text}`]
      .filter(Boolean)
      .join('\n'),
  );
  return `Third-party parts of Headwise\n\n${sections.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`;
}
