/** What a tool saw of a file, so that a later edit can tell whether it changed in between. */
export type FileObservation = {
  /** Real path, absolute. */
  path: string;
  size: number;
  mtimeMs: number;
  /** Of the file's bytes. */
  sha256: string;
  how: 'read' | 'listed' | 'written' | 'delivered';
  /** The whole file was seen. */
  complete: boolean;
  /** It was seen with line numbers or other marks that are not in the file. */
  decorated: boolean;
  /** Lines, 1-based and inclusive, where only a part was seen. */
  range?: [number, number];
};
