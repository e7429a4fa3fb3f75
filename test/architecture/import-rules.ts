import { posix } from 'node:path';
import { SEPARATE, TEST_IMPORTS, UNITS } from './layers.ts';
import { type Import, readImports } from './read-imports.ts';
import { isTest, type SourceTree, type Violation } from './source-tree.ts';
import { tokenize } from './tokenize.ts';

type Edge = Import & { file: string; target: string };

/** The unit a source file belongs to: the longest listed folder above it. */
export function unitOf(file: string): string | undefined {
  const [, first = '', second = ''] = file.split('/');
  const inner = `${first}/${second}`;
  if (Object.hasOwn(UNITS, inner)) return inner;
  return Object.hasOwn(UNITS, first) ? first : undefined;
}

function layerOf(unit: string): string {
  return unit.split('/')[0] ?? unit;
}

function listEdges(tree: SourceTree): { edges: Edge[]; violations: Violation[] } {
  const edges: Edge[] = [];
  const violations: Violation[] = [];
  for (const [file, source] of tree) {
    for (const found of readImports(tokenize(source))) {
      if (found.specifier === null) {
        if (!isTest(file)) violations.push({ rule: 'computed-import', file, line: found.line, detail: 'import(…)' });
      } else if (found.specifier.startsWith('.')) {
        edges.push({ ...found, file, target: posix.join(posix.dirname(file), found.specifier) });
      }
    }
  }
  return { edges, violations };
}

function mayImport(edge: Edge, from: string, to: string): boolean {
  const unit = UNITS[from];
  if (unit === undefined) return false;
  if (unit.imports.includes(to)) return true;
  if (unit.types?.includes(to) === true && edge.kind === 'type') return true;
  if (unit.lazily?.includes(to) === true && (edge.kind !== 'static' || isTest(edge.file))) return true;
  return isTest(edge.file) && TEST_IMPORTS.includes(to);
}

function judgeEdge(edge: Edge): Violation[] {
  const from = unitOf(edge.file);
  const to = unitOf(edge.target);
  const { file, line } = edge;
  const detail = `${edge.kind} import of ${edge.target}`;
  if (!edge.target.startsWith('src/')) return isTest(file) ? [] : [{ rule: 'leaves-src', file, line, detail }];
  if (from === undefined || to === undefined) return [{ rule: 'unknown-layer', file, line, detail }];
  if (from === to) return isSeparated(edge) ? [{ rule: 'separate-folders', file, line, detail }] : [];
  const violations: Violation[] = [];
  if (!mayImport(edge, from, to)) violations.push({ rule: 'layer', file, line, detail });
  const isEntry = edge.target === `src/${to}/index.ts`;
  if (!isEntry && layerOf(from) !== layerOf(to)) violations.push({ rule: 'entry', file, line, detail });
  return violations;
}

function isSeparated(edge: Edge): boolean {
  const [, layer, from = ''] = edge.file.split('/');
  const [, , to = ''] = edge.target.split('/');
  const rule = SEPARATE.find((each) => each.layer === layer);
  // A file at the layer's root is no folder: it may gather them all.
  if (rule === undefined || from === to || from.endsWith('.ts') || to.endsWith('.ts')) return false;
  if (rule.shared.includes(to)) return false;
  return rule.folders === 'all' || (rule.folders.includes(from) && rule.folders.includes(to));
}

/** Every cycle once, as the files in the order they import each other, from the smallest name. */
function findCycles(edges: readonly Edge[]): Violation[] {
  const next = new Map<string, Edge[]>();
  for (const edge of edges) {
    if (edge.kind !== 'type') next.set(edge.file, [...(next.get(edge.file) ?? []), edge]);
  }
  const cycles = new Map<string, Violation>();
  const done = new Set<string>();
  function visit(file: string, path: readonly string[]): void {
    const start = path.indexOf(file);
    if (start !== -1) {
      const loop = path.slice(start);
      const first = loop.indexOf([...loop].sort()[0] ?? file);
      const turned = [...loop.slice(first), ...loop.slice(0, first)];
      const name = turned[0] ?? file;
      const line = next.get(name)?.find((edge) => edge.target === (turned[1] ?? name))?.line ?? 0;
      const detail = [...turned, name].join(' → ');
      cycles.set(detail, { rule: 'cycle', file: name, line, detail });
      return;
    }
    if (done.has(file)) return;
    for (const edge of next.get(file) ?? []) visit(edge.target, [...path, file]);
    done.add(file);
  }
  for (const file of next.keys()) visit(file, []);
  return [...cycles.values()];
}

/** Everything in the tree that the import table forbids. */
export function checkImports(tree: SourceTree): Violation[] {
  const { edges, violations } = listEdges(tree);
  const missing = edges
    .filter((edge) => edge.target.endsWith('.ts') && !tree.has(edge.target) && !edge.target.endsWith('.d.ts'))
    .filter((edge) => edge.target.startsWith('src/'))
    .map((edge) => ({ rule: 'missing', file: edge.file, line: edge.line, detail: edge.target }));
  return [...violations, ...missing, ...edges.flatMap(judgeEdge), ...findCycles(edges)];
}
