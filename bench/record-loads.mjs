// `node --import ./bench/record-loads.mjs PROGRAM`: writes the URL of each file that it runs code from to the file
// $REIN_LOADS, whether it comes as an ES module, by `require`, or with its compiled code.
import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const record = (file) => appendFileSync(process.env.REIN_LOADS, `${pathToFileURL(file).href}\n`);

const hook = `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(process.env.REIN_LOADS, url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const compile = Module.prototype._compile;
Module.prototype._compile = function recordedCompile(source, file, ...rest) {
  record(file);
  return compile.call(this, source, file, ...rest);
};

const { Script } = vm;
vm.Script = class RecordedScript extends Script {
  constructor(source, options) {
    super(source, options);
    if (typeof options?.filename === 'string' && isAbsolute(options.filename)) record(options.filename);
  }
};
