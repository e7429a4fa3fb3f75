export interface EnvPort {
  get(name: string): string | undefined;
  all(): Readonly<Record<string, string>>;
  /** The directory the program was started in. */
  cwd(): string;
  home(): string;
  platform(): 'linux' | 'darwin' | 'win32' | string;
  uid(): number | null;
}
