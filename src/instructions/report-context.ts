import { byteLength, type Diagnostic } from '../base/index.ts';
import type {
  ContextReport,
  JsonSchema,
  Laid,
  Message,
  Piece,
  PieceRef,
  PieceSpan,
  Placement,
  ReportedPiece,
  Trigger,
  Wire,
  World,
} from '../model/index.ts';
import { estimateMessageTokens, estimateTokens, TOKEN_METHOD } from './estimate-tokens.ts';
import { layoutText, spansOf } from './layout.ts';
import { locateParts, spanIn } from './locate-parts.ts';
import { skippedRows } from './skipped-rows.ts';

export type ReportInput = {
  harness: string;
  facet: string | null;
  /** `provider/model`. */
  model: string | null;
  wire: Wire;
  cwd: string;
  projectRoot: string | null;
  system: Laid;
  tools: readonly { name: string; description: Laid; schema: JsonSchema }[];
  /** The conversation, in no wire's words; `pending`: whether that event was written for this preview alone. */
  messages: readonly Message[];
  pending(message: Message): boolean;
  /** The same in the wire's words, the system message left out. */
  encoded: readonly unknown[];
  pieceOf(ref: PieceRef): Piece | undefined;
  /** What a message of the conversation would have held, and why it does not. */
  omitted: readonly { piece: Piece; why: string }[];
  /** What was looked at; null for a stored request, whose disk is gone. */
  world: World | null;
  diagnostics: readonly Diagnostic[];
  placeholders: ContextReport['placeholders'];
};

type Sent = { piece: Piece; trigger: Trigger; placement: Placement; at: PieceSpan; pending: boolean };

function sentIn(laid: Laid, where: string, placement: Placement): Sent[] {
  return spansOf(laid).flatMap(({ start, end, item }): Sent[] =>
    'piece' in item ? [{ ...item, placement, at: { in: where, start, end }, pending: false }] : [],
  );
}

function sentInMessages(input: ReportInput): { sent: Sent[]; lost: PieceRef[] } {
  const lost: PieceRef[] = [];
  const sent = locateParts(input.messages, input.encoded).flatMap((located) =>
    (located.part.pieces ?? []).flatMap(({ at, piece: ref, trigger }): Sent[] => {
      const piece = input.pieceOf(ref);
      if (piece === undefined) {
        lost.push(ref);
        return [];
      }
      const placement = located.message.role === 'tool' ? 'tool-result' : 'history';
      return [{ piece, trigger, placement, at: spanIn(located, at), pending: input.pending(located.message) }];
    }),
  );
  return { sent, lost };
}

function statusOf({ piece, pending }: Sent): Pick<ReportedPiece, 'status' | 'reason'> {
  if (piece.cut !== undefined) {
    const { keptBytes, droppedBytes, why } = piece.cut;
    return { status: 'truncated', reason: `${keptBytes} bytes kept, ${droppedBytes} dropped: ${why}` };
  }
  return pending ? { status: 'pending', reason: 'goes out with the next prompt' } : { status: 'sent', reason: null };
}

/** One row for each text that was sent, however often: the same piece with other bytes is another row. */
function sentRows(sent: readonly Sent[]): ReportedPiece[] {
  const rows = new Map<string, ReportedPiece>();
  for (const each of sent) {
    const { piece, trigger, placement, at } = each;
    const status = statusOf(each);
    const key = JSON.stringify([placement, piece.id, piece.sha256, status.status]);
    const row = rows.get(key);
    if (row !== undefined) {
      row.at.push(at);
      continue;
    }
    rows.set(key, {
      id: piece.id,
      kind: piece.kind,
      origin: piece.origin,
      placement,
      trigger,
      rule: piece.rule,
      ...(piece.requirement === undefined ? {} : { requirement: piece.requirement }),
      ...status,
      bytes: byteLength(piece.text),
      tokens: estimateTokens(piece.text),
      tokenMethod: TOKEN_METHOD,
      sha256: piece.sha256,
      at: [at],
      fragments: (piece.fragments ?? []).map(({ at: [start, end], from }) => ({ start, end, path: from.path })),
    });
  }
  return [...rows.values()];
}

function omittedRows({ omitted }: ReportInput): ReportedPiece[] {
  const rows = omitted.map(({ piece, why }): [string, ReportedPiece] => [
    piece.id,
    {
      id: piece.id,
      kind: piece.kind,
      origin: piece.origin,
      placement: piece.placement,
      trigger: null,
      rule: piece.rule,
      status: 'skipped',
      reason: `omitted: ${why}`,
      bytes: byteLength(piece.text),
      tokens: estimateTokens(piece.text),
      tokenMethod: TOKEN_METHOD,
      sha256: piece.sha256,
      at: [],
      fragments: [],
    },
  ]);
  return [...new Map(rows).values()];
}

function lostDiagnostic(ref: PieceRef): Diagnostic {
  return {
    severity: 'warning',
    code: 'instructions/piece-lost',
    message: `the log no longer says what the piece ${ref} was`,
    data: { ref },
  };
}

/**
 * What a request holds, byte by byte, and what was found and left out: for a preview and for a stored request alike,
 * whose layouts then come from the log. Spans are UTF-8 bytes; `historyBytes` and `toolBytes` are those of the JSON.
 */
export function reportContext(input: ReportInput): ContextReport {
  const { world } = input;
  const system = layoutText(input.system);
  const tools = input.tools.map(({ name, description, schema }) => ({
    name,
    description: layoutText(description),
    schema,
  }));
  const messages = sentInMessages(input);
  const rows = sentRows([
    ...sentIn(input.system, 'system', 'system'),
    ...messages.sent,
    ...input.tools.flatMap(({ description }, index) => sentIn(description, `tools/${index}/description`, 'tools')),
  ]);
  const sentIds = new Set(rows.map(({ id }) => id));
  const omitted = omittedRows(input).filter(({ id }) => !sentIds.has(id));
  const known = [...rows, ...omitted];
  const history = input.encoded.length === 0 ? '' : JSON.stringify(input.encoded);
  const toolText = tools.length === 0 ? '' : JSON.stringify(tools);
  const texts = [system, history, toolText];
  const [systemBytes = 0, historyBytes = 0, toolBytes = 0] = texts.map(byteLength);
  return {
    harness: input.harness,
    facet: input.facet,
    model: input.model,
    wire: input.wire,
    cwd: input.cwd,
    projectRoot: input.projectRoot,
    system,
    messages: [...input.encoded],
    tools,
    pieces: world === null ? known : [...known, ...skippedRows(world, known)],
    searched: (world?.searched ?? []).map(({ kind, directory, looked, took, why }) => ({
      kind,
      directory,
      looked,
      took,
      why,
    })),
    diagnostics: [...(world?.diagnostics ?? []), ...input.diagnostics, ...messages.lost.map(lostDiagnostic)],
    placeholders: [...input.placeholders],
    totals: {
      bytes: systemBytes + historyBytes + toolBytes,
      tokens: estimateTokens(system) + estimateMessageTokens(history) + estimateTokens(toolText),
      systemBytes,
      historyBytes,
      toolBytes,
    },
  };
}
