declare module 'minijinja-js/dist/bundler/minijinja_js_bg.js' {
  export { Environment } from 'minijinja-js';
  export function __wbg_set_wasm(exports: object): void;
}

declare namespace WebAssembly {
  const Module: new (bytes: Uint8Array) => Module;
  const Instance: new (module: Module, imports: object) => { exports: object };
}
