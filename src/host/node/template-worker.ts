import { parentPort } from 'node:worker_threads';
import * as bindings from 'minijinja-js/dist/bundler/minijinja_js_bg.js';
import { runTemplate, type TemplateEnvironment, type TemplateJob } from '../index.ts';

/** The thread that templates are rendered in: it may be ended at any moment. First it is given the engine's module. */
parentPort?.once('message', (module: WebAssembly.Module) => {
  const instance = new WebAssembly.Instance(module, { './minijinja_js_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  parentPort?.on('message', (job: TemplateJob) => {
    parentPort?.postMessage(runTemplate(() => new bindings.Environment() as TemplateEnvironment, job));
  });
  parentPort?.postMessage('ready');
});
