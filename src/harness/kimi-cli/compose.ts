import { dirname } from 'node:path';
import { byteLength, type Diagnostic } from '../../base/index.ts';
import {
  budgetLeafFirst,
  filePiece,
  filesOf,
  joinLaid,
  lay,
  makePiece,
  renderKimiTemplate,
} from '../../instructions/index.ts';
import type { Composition, FoundFile, Laid, Piece, PieceKind, Turn } from '../../model/index.ts';
import { developerPieces, guidancePiece } from './developer-text.ts';
import { freshPins, listingPin, NOW_PIN } from './pins.ts';
import { planReminders } from './plan-mode.ts';
import { promptTemplate } from './prompt-template.ts';
import { kimiSkills, skillListing } from './skills.ts';
import { AGENTS_KIND, KIMI_AGENTS_KIND } from './sources.ts';
import { roleText } from './subagents.ts';

/** UTF-8 bytes of all instruction files together, their headings included. */
const BUDGET = 32 * 1024;

const OS_NAMES: Readonly<Record<string, string>> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };

function sessionLaid(id: string, kind: PieceKind, rule: string, text: string): Laid {
  if (text === '') return [];
  const piece = makePiece({ id, kind, origin: { type: 'session' }, placement: 'system', rule, text });
  return lay(piece, 'every-request');
}

/** By level, root first; at each what lies in `.kimi/` before what lies beside the code (spec/kimi-cli.md 6). */
function agentsInOrder(files: readonly FoundFile[]): FoundFile[] {
  const level = ({ kind, directory }: FoundFile): string =>
    kind === KIMI_AGENTS_KIND ? dirname(directory) : directory;
  const found = [...filesOf(files, KIMI_AGENTS_KIND), ...filesOf(files, AGENTS_KIND)];
  // One chain of directories: a longer path lies deeper. The sort is stable.
  return found.sort((left, right) => level(left).length - level(right).length);
}

/** Root to leaf, each under its path; the leaf is the last to be cut (spec/kimi-cli.md 6). */
function agentsFiles(files: readonly FoundFile[]): { laid: Laid; diagnostics: Diagnostic[] } {
  const headings = files.map((file) => `<!-- From: ${file.path} -->`);
  const budgeted = budgetLeafFirst(
    files.map((file, index) => ({ heading: headings[index] ?? '', text: file.text })),
    BUDGET,
  );
  const parts: Laid[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, file] of files.entries()) {
    const { text = '', droppedBytes = 0 } = budgeted[index] ?? {};
    if (droppedBytes > 0) diagnostics.push(cutDiagnostic(file, droppedBytes));
    if (text === '') continue;
    const piece = filePiece(file, {
      kind: 'context-file',
      placement: 'system',
      rule: 'AGENTS.md files from the project root to the working directory; 32 KiB are shared out from the nearest outward.',
      requirement: 'M13',
      text,
    });
    parts.push(
      joinLaid(
        parts.length === 0 ? '' : '\n\n',
        `${headings[index] ?? ''}\n`,
        lay(withCut(piece, droppedBytes), 'every-request'),
      ),
    );
  }
  return { laid: joinLaid(...parts), diagnostics };
}

function withCut(piece: Piece, droppedBytes: number): Piece {
  if (droppedBytes === 0) return piece;
  const keptBytes = byteLength(piece.text);
  return { ...piece, cut: { keptBytes, droppedBytes, why: `the budget of ${BUDGET} bytes was used up` } };
}

function cutDiagnostic(file: FoundFile, droppedBytes: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'instructions/budget-cut',
    message: `${droppedBytes} bytes at the end are not sent: all instruction files together have ${BUDGET} bytes`,
    path: file.path,
    data: { droppedBytes, budget: BUDGET },
  };
}

function valuesOf(
  turn: Turn,
  pins: Readonly<Record<string, string>>,
  agents: Laid,
  skills: Laid,
): Record<string, Laid> {
  const { world } = turn;
  const os = OS_NAMES[world.platform.os] ?? world.platform.os;
  const shell = os === 'Windows' ? 'powershell (`powershell.exe`)' : 'bash (`/bin/bash`)';
  const fact = (name: string, rule: string, text: string): Laid =>
    sessionLaid(`environment/${name}`, 'environment', rule, text);
  return {
    ROLE_ADDITIONAL: sessionLaid('role', 'role', 'Limits a subagent to its task.', roleText(turn.session)),
    KIMI_OS: fact('os', 'The operating system.', os),
    KIMI_SHELL: fact('shell', 'The shell that the template names for this system.', shell),
    KIMI_NOW: fact('now', 'The time at which the conversation began.', pins[NOW_PIN] ?? ''),
    KIMI_WORK_DIR: fact('work-dir', 'The working directory.', world.cwd),
    KIMI_WORK_DIR_LS: sessionLaid(
      'listing',
      'listing',
      'Two levels of the working directory, looked at once.',
      pins[listingPin(turn.session)] ?? '',
    ),
    KIMI_AGENTS_MD: agents,
    KIMI_SKILLS: skills,
    KIMI_ADDITIONAL_DIRS_INFO: [],
  };
}

/**
 * The system prompt of the `kimi-cli` harness (seed 003, spec/kimi-cli.md 2): one template, rendered for each request;
 * time and listing are frozen once for the conversation.
 */
export function composeKimiCli(turn: Turn): Composition {
  const { session, world, settings } = turn;
  const fresh = freshPins(turn);
  const pins = { ...Object.fromEntries(fresh.map(({ name, value }) => [name, value])), ...session.pins };
  const agents = agentsFiles(agentsInOrder(world.files));
  const template = promptTemplate(world, settings);
  const rendered = renderKimiTemplate({
    template: template.text,
    blocks: [
      { start: '{% if KIMI_OS == "Windows" %}', include: world.platform.os === 'win32' },
      { start: '{% if KIMI_ADDITIONAL_DIRS_INFO %}', include: false },
    ],
    values: valuesOf(turn, pins, agents.laid, skillListing(kimiSkills(turn))),
    chunk: template.chunk,
    trigger: 'every-request',
    developer: developerPieces(turn),
  });
  const guidance = guidancePiece(turn);
  const system = guidance === null ? rendered : joinLaid(rendered, '\n\n', lay(guidance, 'every-request'));
  return {
    system,
    pins: fresh,
    reminders: { beforePrompt: [], afterPrompt: planReminders(turn) },
    chain: null,
    options: {},
    diagnostics: [...template.diagnostics, ...agents.diagnostics],
  };
}
