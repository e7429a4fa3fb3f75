/** Names of the types that a search without ripgrep knows, as ripgrep has them. With ripgrep its own list holds. */
const GLOBS: Readonly<Record<string, string>> = {
  c: '*.{c,C,h,H,cats}',
  cpp: '*.{C,H,cc,cpp,cxx,hh,hpp,hxx,h,inl}',
  cs: '*.cs',
  csharp: '*.cs',
  css: '*.{css,scss}',
  go: '*.go',
  html: '*.{htm,html,ejs}',
  java: '*.{java,jsp,jspx,properties}',
  js: '*.{js,jsx,cjs,mjs,vue}',
  json: '*.{json,sarif}',
  kotlin: '*.{kt,kts}',
  lua: '*.lua',
  markdown: '*.{md,mdx,markdown,mdown,mdwn,mkd,mkdn}',
  md: '*.{md,mdx,markdown,mdown,mdwn,mkd,mkdn}',
  php: '*.{php,php3,php4,php5,php7,php8,pht,phtml}',
  py: '*.{py,pyi}',
  ruby: '{*.rb,*.rbw,*.rake,*.gemspec,Gemfile,Rakefile,config.ru}',
  rust: '*.rs',
  sql: '*.{sql,psql}',
  swift: '*.swift',
  toml: '{*.toml,Cargo.lock}',
  ts: '*.{ts,tsx,cts,mts}',
  txt: '*.txt',
  xml: '*.{xml,xsd,xsl,xslt,dtd,xhtml}',
  yaml: '*.{yaml,yml}',
};

/** A glob of names; null: no type of this name is known. */
export function globOfType(type: string): string | null {
  return Object.hasOwn(GLOBS, type) ? (GLOBS[type] ?? null) : null;
}
