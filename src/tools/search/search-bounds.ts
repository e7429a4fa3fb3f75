/** What one search may cost, whatever it is asked for. */
export type SearchBounds = {
  timeMs: number;
  /** Entries of directories that are looked at. */
  entries: number;
  /** Directories below the first one. */
  depth: number;
  /** What the search program may write, and one line of it; bytes. */
  outputBytes: number;
  outputLine: number;
  /** The largest file that ripgrep looks into: it takes as much memory as the longest line. Bytes. */
  searchedFileBytes: number;
  /** The largest file that the plain scan reads. Bytes. */
  fileBytes: number;
};

const MIB = 1024 * 1024;

export const SEARCH_BOUNDS: SearchBounds = {
  timeMs: 20_000,
  entries: 200_000,
  depth: 100,
  outputBytes: 64 * MIB,
  outputLine: 16 * MIB,
  searchedFileBytes: 256 * MIB,
  fileBytes: 10 * MIB,
};
