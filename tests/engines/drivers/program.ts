// Finds the program of a browser.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What the environment variable says, else the first of the names that is on PATH. */
export function programOf(variable: string, names: readonly string[]): string {
  const chosen = process.env[variable];
  if (chosen) return chosen;
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here.
      }
    }
  }
  throw new Error(
    `no ${names[0]} on PATH: install it, set ${variable}, or leave this browser out with tests/run --without`,
  );
}
