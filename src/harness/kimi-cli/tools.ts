import type { Turn } from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import { AGENT } from './faces/agent-face.ts';
import { ASK_USER_QUESTION } from './faces/ask-user-question-face.ts';
import { FETCH_URL } from './faces/fetch-url-face.ts';
import { kimiGlobFace } from './faces/glob-face.ts';
import { kimiGrepFace } from './faces/grep-face.ts';
import { groundOf } from './faces/ground.ts';
import { ENTER_PLAN_MODE, EXIT_PLAN_MODE } from './faces/plan-mode-faces.ts';
import { kimiReadFileFace } from './faces/read-file-face.ts';
import { kimiReadMediaFace } from './faces/read-media-face.ts';
import { SEARCH_WEB } from './faces/search-web-face.ts';
import { SET_TODO_LIST } from './faces/set-todo-list-face.ts';
import { SHELL } from './faces/shell-face.ts';
import { kimiStrReplaceFace } from './faces/str-replace-face.ts';
import { TASK_LIST, TASK_OUTPUT, TASK_STOP } from './faces/task-faces.ts';
import { kimiWriteFileFace } from './faces/write-file-face.ts';

// Encoders remember what they made of a face by its identity: equal questions get the same objects.
const MADE = new Map<string, readonly ToolFace[]>();
const MAX_MADE = 16;

function remembered(key: string, make: () => readonly ToolFace[]): readonly ToolFace[] {
  const faces = MADE.get(key) ?? make();
  MADE.delete(key);
  MADE.set(key, faces);
  const [oldest] = MADE.keys();
  if (MADE.size > MAX_MADE && oldest !== undefined) MADE.delete(oldest);
  return faces;
}

/** In the order of the request (spec/kimi-cli.md 12). */
export function kimiTools(turn: Omit<Turn, 'tools'>): readonly ToolFace[] {
  const ground = groundOf(turn);
  const { webSearch = false } = turn.settings;
  return remembered(JSON.stringify([ground, webSearch]), () => [
    AGENT,
    ASK_USER_QUESTION,
    SET_TODO_LIST,
    SHELL,
    TASK_LIST,
    TASK_OUTPUT,
    TASK_STOP,
    kimiReadFileFace(ground),
    // Only where the model takes images, as far as it is known.
    ...(ground.pictures === false ? [] : [kimiReadMediaFace(ground)]),
    kimiGlobFace(ground),
    kimiGrepFace(ground),
    kimiWriteFileFace(ground),
    kimiStrReplaceFace(ground),
    ...(webSearch ? [SEARCH_WEB] : []),
    FETCH_URL,
    EXIT_PLAN_MODE,
    ENTER_PLAN_MODE,
  ]);
}
