/** What a stretch of text is. Closed: a new kind is added here first. */
export type PieceKind =
  | 'base'
  | 'override'
  | 'append'
  | 'context-file'
  | 'facet'
  | 'subagent'
  | 'embedded-file'
  | 'skill-list'
  | 'subagent-list'
  | 'skill'
  | 'chain'
  | 'discovery'
  | 'plan'
  | 'environment'
  | 'listing'
  | 'guidance'
  | 'role'
  | 'developer'
  | 'summary'
  | 'todos'
  | 'path-list'
  | 'notice'
  | 'tool-description'
  | 'template';

export type Scope = 'user' | 'ancestor' | 'project' | 'directory' | 'extra';

export type Origin = {
  type: 'shipped' | 'file' | 'session' | 'settings' | 'flag';
  /** Absolute, for files. */
  path?: string;
  scope?: Scope;
};

/** Where a piece goes; `tools` is a tool's description. */
export type Placement = 'system' | 'history' | 'tool-result' | 'tools';

/** Why a piece was sent this time. It belongs to the layout: one text may be sent for different reasons. */
export type Trigger =
  | 'every-submission'
  | 'every-request'
  | 'session-start'
  | 'facet-active'
  | 'chain-changed'
  | 'tool-batch'
  | 'on-invocation'
  | 'plan-change'
  | 'context-reset'
  | 'reload'
  /** The program had something to say of the session itself. */
  | 'notice';

/** Text with an origin. `id` is stable across turns and sessions: 'context-file:/abs/AGENTS.md', 'base/tools'. */
export type Piece = {
  id: string;
  kind: PieceKind;
  origin: Origin;
  placement: Placement;
  /** One sentence that a user understands: why this text is here. */
  rule: string;
  /** The requirement it follows, for us: 'K15'. */
  requirement?: string;
  /** As sent. */
  text: string;
  sha256: string;
  /** Of the file's bytes as read, for files. */
  fileSha256?: string;
  /** Which stretch (UTF-8 bytes of `text`) came from which transcluded or embedded file. */
  fragments?: { at: [number, number]; from: { path: string } }[];
  cut?: { keptBytes: number; droppedBytes: number; why: string };
};

/** `id@hash of the whole record`. */
export type PieceRef = string;

/**
 * A text in the making: pieces, and the separators (headings, tags, blank lines) that the harness owns. Concatenated
 * it is exactly the text; a piece's bytes are its body only.
 */
export type Laid = readonly ({ piece: Piece; trigger: Trigger } | { separator: string })[];

/** The same in the log. */
export type Layout = readonly ({ piece: PieceRef; trigger: Trigger } | { separator: string })[];
