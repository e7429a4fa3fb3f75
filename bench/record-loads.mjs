// `node --import ./bench/record-loads.mjs PROGRAM`: writes the URL of each module it loads to the file $REIN_LOADS.
import { register } from 'node:module';

const hook = `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(process.env.REIN_LOADS, url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
