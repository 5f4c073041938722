// Cuts texts where a reader sees letters end, and makes them fit for an address: what is typed may be anything.

// An emoji of a family is eleven code units; more than this is an accumulation of accents.
const longestLetter = 16;

// Older browsers have none: a letter is then a code point.
const graphemes = 'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : undefined;

function lettersOf(text: string): string[] {
  return graphemes ? Array.from(graphemes.segment(text), ({ segment }) => segment) : [...text];
}

/** Halves of a letter's code, which no address can carry, become the sign for an unknown letter. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** The first so many letters of a text, as a reader counts them. */
export function firstLetters(text: string, count: number): string {
  if (text.length <= count) return wellFormed(text);
  return wellFormed(
    lettersOf(text.slice(0, count * longestLetter))
      .slice(0, count)
      .join(''),
  );
}

/** A text for a sentence that repeats it. */
export function shortened(text: string, count: number): string {
  const start = firstLetters(text, count);
  return start.length < text.length ? `${start}…` : start;
}
