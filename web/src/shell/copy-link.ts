// "Copy link": the address of the page with everything the learner changed in the open lesson.

import { announce } from './announce.ts';
import { flushState } from './state.ts';

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Plain HTTP and some frames have no clipboard; this older way still works in most of them.
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'visually-hidden';
    document.body.append(field);
    field.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}

export function startCopyLink(): void {
  const button = document.getElementById('copy-link');
  if (!button) return;
  const label = button.textContent;
  let restore: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', () => {
    flushState();
    void copy(location.href).then((copied) => {
      button.focus();
      button.textContent = copied ? 'Copied' : 'Use the address bar';
      announce(
        copied
          ? 'Link copied, with the settings of this lesson'
          : 'The browser did not let the link be copied; the address bar has it',
      );
      clearTimeout(restore);
      restore = setTimeout(() => (button.textContent = label), 2500);
    });
  });
}
