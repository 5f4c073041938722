// The Vite plugin that makes index.html from the lessons.

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import { noticesHtml, noticesText, shippedNotices, toolNotices } from './notices.ts';
import { createRenderer, requireModule } from './renderer.ts';

/**
 * Allows what the page needs and nothing from elsewhere. Inline styles stay allowed: Temml, Lit and uPlot write them. Texts become markup only in
 * lit's templates, and programs only by src/shell/trusted-types.ts.
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html default',
].join('; ');

const noticesFile = 'third-party.txt';

function replaceMark(html: string, mark: string, content: string): string {
  return html.replace(`<!-- headwise:${mark} -->`, () => content);
}

/** Tells first-paint.js where the module is, so that it is fetched before the program asks for it. */
function withModule(html: string, module: string): string {
  return html.replace('</head>', `  <meta name="headwise-module" content="./${module}" />\n  </head>`);
}

export function lessons(webRoot: string): Plugin[] {
  const version = (JSON.parse(readFileSync(join(webRoot, 'package.json'), 'utf8')) as { version: string }).version;
  let rendering: ReturnType<typeof render> | undefined;
  let renderer: ReturnType<typeof createRenderer> | undefined;

  async function render(): Promise<{ navigation: string; articles: string; warnings: readonly string[] }> {
    renderer ??= createRenderer(webRoot);
    const site = (await renderer)(version);
    return { ...site, articles: site.articles.join('\n') };
  }

  function isSource(path: string): boolean {
    const file = relative(webRoot, path);
    return /^(lessons|pages)[\\/].*\.md$/.test(file) || /^src[\\/](?!shell|styles)/.test(file);
  }

  function watch(server: ViteDevServer): void {
    server.watcher.add([join(webRoot, 'lessons'), join(webRoot, 'pages')]);
    server.watcher.on('all', (_event, path) => {
      if (!isSource(path)) return;
      rendering = undefined;
      if (!path.endsWith('.md')) renderer = undefined;
      else server.hot.send({ type: 'full-reload' });
    });
  }

  return [
    {
      name: 'headwise-lessons',
      buildStart() {
        try {
          requireModule(webRoot);
        } catch (error) {
          this.error((error as Error).message);
        }
      },
      configureServer: watch,
      transformIndexHtml: {
        order: 'pre',
        async handler(html) {
          rendering ??= render();
          const { navigation, articles, warnings } = await rendering.catch((error: unknown) => {
            rendering = undefined;
            throw error;
          });
          for (const warning of warnings) this.warn(warning);
          const policy = `<meta http-equiv="Content-Security-Policy" content="${contentPolicy}" />`;
          return replaceMark(
            replaceMark(replaceMark(html, 'policy', policy), 'navigation', navigation),
            'articles',
            articles,
          );
        },
      },
    },
    {
      name: 'headwise-notices',
      transformIndexHtml: {
        order: 'post',
        handler(html, { bundle }) {
          const chunks = Object.values(bundle ?? {});
          const moduleIds = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
          const notices = [...shippedNotices(moduleIds), ...toolNotices(webRoot)];
          // With the attribute, a browser refuses the stylesheet of a page opened from a file.
          const plain = html.replace(/(<link rel="stylesheet") crossorigin/g, '$1');
          const marked = replaceMark(plain, 'third-party', noticesHtml(notices));
          const module = chunks.find(({ fileName }) => fileName.endsWith('.wasm'));
          return module ? withModule(marked, module.fileName) : marked;
        },
      },
      generateBundle(_options, bundle) {
        const moduleIds = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
        const notices = [...shippedNotices(moduleIds), ...toolNotices(webRoot)];
        this.emitFile({ type: 'asset', fileName: noticesFile, source: noticesText(notices) });
      },
    },
  ];
}
