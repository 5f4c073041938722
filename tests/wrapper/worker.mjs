// The module worker of engine.test.mjs: answers a case with its output, transferred, and the error of a wrong one.
import { parentPort } from 'node:worker_threads';
import { loadHeadwise } from 'headwise';

const headwise = await loadHeadwise();
parentPort.on('message', (layer) => {
  let error = null;
  try {
    headwise.attend({ ...layer, kind: 'mah' });
  } catch ({ name, code }) {
    error = { name, code };
  }
  const { output } = headwise.attend(layer);
  parentPort.postMessage({ output, error }, [output.data.buffer]);
});
