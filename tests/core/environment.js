// Before the WebAssembly suite runs under Node: the one environment variable it reads.
Module.preRun = (Module.preRun || []).concat(() => {
  if (process.env.HEADWISE_GOLDEN_DIR) ENV.HEADWISE_GOLDEN_DIR = process.env.HEADWISE_GOLDEN_DIR;
});
