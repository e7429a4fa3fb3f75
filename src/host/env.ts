export interface EnvPort {
  get(name: string): string | undefined;
  all(): Readonly<Record<string, string>>;
  /** The directory the program was started in. */
  cwd(): string;
  home(): string;
  /** 'linux', 'darwin', 'win32' or another of Node's names. */
  platform(): string;
  /** What this program runs on. `node` without the `v`; `arch` is one of Node's names; `release` is the kernel's. */
  machine(): { node: string; arch: string; release: string };
  uid(): number | null;
  /** The directory in which this program lies, with its `package.json`. */
  packageRoot(): string;
}
