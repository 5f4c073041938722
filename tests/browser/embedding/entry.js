// The test looks at what importing the elements did before it defines them.

import { defineElements } from '../../../web/src/elements.ts';

globalThis.touchedByImport = [...(globalThis.touched ?? [])];
globalThis.defineElements = defineElements;
