// A small static server for the built page, one for each test, that can be told to misbehave as real servers do.

import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Another build of the page can be tested by naming its folder. */
export const siteFolder = process.env.HEADWISE_SITE_DIR ?? fileURLToPath(new URL('../../../web/dist', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

export function typeOf(file: string): string {
  return types[extname(file)] ?? 'application/octet-stream';
}

export type Answer = (response: ServerResponse, file: string) => void;

export class Site {
  /** Paths that were asked for, in order. */
  readonly requests: string[] = [];
  private readonly faults = new Map<string | RegExp, Answer>();
  private readonly server = createServer((request, response) => {
    this.answer(request, response);
  });

  /** `folder` is where on the server the page lies, with a slash at both ends; `root` where on this machine. */
  constructor(
    readonly folder = '/',
    private readonly root = siteFolder,
  ) {}

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return this.origin + this.folder;
  }

  /** From now on files whose name ends so, or fits, are answered otherwise. */
  misbehave(name: string | RegExp, answer: Answer): void {
    this.faults.set(name, answer);
  }

  recover(): void {
    this.faults.clear();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(new URL(request.url ?? '/', this.origin).pathname);
    this.requests.push(path);
    response.setHeader('Cache-Control', 'no-store');
    const inside = path.startsWith(this.folder) ? path.slice(this.folder.length) || 'index.html' : undefined;
    const file = inside !== undefined && join(this.root, normalize(`/${inside}`));
    if (file === false || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found');
      return;
    }
    for (const [name, fault] of this.faults) {
      if (typeof name === 'string' ? file.endsWith(name) : name.test(file)) {
        fault(response, file);
        return;
      }
    }
    response.setHeader('Content-Type', typeOf(file));
    createReadStream(file).pipe(response);
  }
}
