// TeX to MathML, when the page is built.

import temml from 'temml';
import { tones } from '../markup.ts';

/**
 * What lessons may write beside ordinary TeX. Colours come from the class, so that dark mode and print can change them:
 * \query{W_j^q} colours anything by role; \Q, \K, \V, \S, \A, \O and \H are the usual letters already coloured.
 */
export const macros: Readonly<Record<string, string>> = {
  ...Object.fromEntries(tones.map((role) => [`\\${role}`, `\\class{role-${role}}{#1}`])),
  '\\H': '\\input{H}',
  '\\Q': '\\query{Q}',
  '\\K': '\\key{K}',
  '\\V': '\\value{V}',
  '\\S': '\\scores{S}',
  '\\A': '\\attention{A}',
  '\\O': '\\output{O}',
  '\\R': '\\mathbb{R}',
  '\\T': '{\\top}',
  '\\softmax': '\\operatorname{softmax}',
  '\\concat': '\\operatorname{concat}',
};

// CSS cannot tell a variable (italic) from a function name (upright): both are <mi>.
function markLetters(mathml: string): string {
  return mathml.replace(
    /<mi(?: class="([^"]*)")?>(?=[A-Za-zͰ-Ͽ]<\/mi>)/g,
    (_, names?: string) => `<mi class="${names ? `${names} ` : ''}letter">`,
  );
}

// In \Q_j the index belongs to the name, so it takes the colour too.
function colourScripts(mathml: string): string {
  return mathml.replace(/<(msub|msup|msubsup)><mi class="(role-\w+)/g, '<$1 class="$2"><mi class="$2');
}

/** Throws an Error whose message quotes the formula. */
export function renderMath(source: string, display: boolean): string {
  // In HTML an author may have written < as &lt;.
  const tex = source.trim().replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  try {
    const mathml = temml.renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      trust: true,
      // Temml adds definitions made inside a formula to the object it is given.
      macros: { ...macros },
    });
    return colourScripts(markLetters(mathml));
  } catch (error) {
    const known = error instanceof Error && error.name === 'ParseError';
    const reason = known
      ? error.message.trim().split('\n')[0]!.replace(/:\s*$/, '')
      : 'it ends too early or a part is missing';
    throw new Error(`the formula $${tex}$ does not work: ${reason}`, { cause: error });
  }
}
