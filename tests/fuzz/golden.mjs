// The golden files, for what is made of them.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../golden/', import.meta.url);
export const goldenFiles = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort();
export const golden = (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
