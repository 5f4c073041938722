/** Calls with the width that the element has, now and whenever it changes, until the returned function is called. */
export function watchWidth(element: Element, changed: (width: number) => void): () => void {
  const observer = new ResizeObserver(([entry]) => changed(entry?.contentRect.width ?? 0));
  observer.observe(element);
  return () => observer.disconnect();
}
