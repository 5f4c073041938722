// What gives a prediction's answer away stays covered until the learner has committed: elements with after="<prediction id>".

const answered = new Set<string>();

function covered(id: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(`[after="${CSS.escape(id)}"]`);
}

/** Keeps size and place, so that nothing jumps when it appears. */
export function cover(predictionId: string): void {
  if (answered.has(predictionId)) return;
  for (const element of covered(predictionId)) {
    element.classList.add('covered');
    element.inert = true;
  }
}

export function uncover(predictionId: string): void {
  answered.add(predictionId);
  for (const element of covered(predictionId)) {
    element.classList.remove('covered');
    element.inert = false;
  }
}
