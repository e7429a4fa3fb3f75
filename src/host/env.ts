export interface EnvPort {
  get(name: string): string | undefined;
  all(): Readonly<Record<string, string>>;
  /** The directory the program was started in. */
  cwd(): string;
  home(): string;
  /** 'linux', 'darwin', 'win32' or another of Node's names. */
  platform(): string;
  uid(): number | null;
}
