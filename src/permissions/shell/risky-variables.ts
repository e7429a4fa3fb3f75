/** Variables that decide what a program loads, runs or asks: setting one can make any command another one. */
const NAMES = new Set([
  'PATH',
  'IFS',
  'ENV',
  'BASH_ENV',
  'BASH_FUNC',
  'BASHOPTS',
  'SHELLOPTS',
  'PROMPT_COMMAND',
  'CDPATH',
  'SHELL',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'MANPAGER',
  'LESSOPEN',
  'LESSCLOSE',
  'BROWSER',
  'HOME',
  'XDG_CONFIG_HOME',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'RUSTC_WRAPPER',
  'RUSTFLAGS',
  'CC',
  'CXX',
  'LD',
  'MAKEFLAGS',
  'GOFLAGS',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'CLASSPATH',
  'SSH_ASKPASS',
  'SUDO_ASKPASS',
]);
const PREFIXES =
  /^(?:LD_|DYLD_|GIT_|BASH_|PYTHON|PERL|RUBY|NPM_CONFIG_|YARN_|PIP_|CARGO_|REIN_|GIO_|GCONV_|SSL_CERT|CURL_)/i;

export function isRiskyVariable(name: string): boolean {
  return NAMES.has(name) || PREFIXES.test(name);
}
