export { createMemoryHost, type MemoryHost, type MemoryHostOptions } from './create-memory-host.ts';
export type { MemoryClock } from './memory-clock.ts';
export type { MemoryFaults, MemoryFiles } from './memory-files.ts';
export type { HttpScript, MemoryHttp } from './memory-http.ts';
export type { MemoryProcess, ProcessScript, ScriptedProcess } from './memory-process.ts';
export type { MemoryAttributes, MemoryEntry, MemoryTree } from './memory-tree.ts';
