import type { Usage } from '../../model/index.ts';
import { FieldReader } from './field-reader.ts';
import { type Located, toPlain } from './located.ts';
import { parseLocated } from './parse-located.ts';
import { readFault } from './read-fault.ts';
import type {
  RehearsalCall,
  RehearsalExpectation,
  RehearsalReply,
  RehearsalScript,
  RehearsalWhen,
  ServerRules,
} from './script.ts';

const REPLY = [
  'when',
  'reasoning',
  'text',
  'calls',
  'state',
  'usage',
  'stop',
  'expect',
  'fault',
  'status',
  'repeat',
] as const;

/**
 * Reads a script, YAML or JSON: a list of replies, or a mapping with the list as `replies` and the rules of its
 * `server` (docs/testing-your-
 * instructions.md has the grammar). Throws UsageError `rehearsal/script`, whose message begins with file, line and
 * column.
 */
export async function parseRehearsal(text: string, path: string): Promise<RehearsalScript> {
  const located = await parseLocated(text, path);
  const reader = new FieldReader(path);
  if (located.kind === 'scalar') throw reader.error(located, 'a script is a list of replies');
  const { replies, server } = readScript(located, reader);
  if (replies === undefined) throw reader.error(located, 'a script needs "replies", a list');
  return {
    path,
    ...(server && { server: readServer(server, reader) }),
    replies: reader.list(replies, '"replies"').map((reply) => readReply(reply, reader)),
  };
}

function readScript(located: Located, reader: FieldReader): { replies?: Located; server?: Located } {
  return located.kind === 'map' ? reader.map(located, 'a script', ['replies', 'server']) : { replies: located };
}

const SERVER = [
  'reasoning',
  'refuses',
  'most_images',
  'call_ids',
  'call_index',
  'finish_reason',
  'native_compaction',
] as const;

function readServer(located: Located, reader: FieldReader): ServerRules {
  const fields = reader.map(located, '"server"', SERVER);
  const { reasoning, refuses, most_images: images, call_ids: ids, call_index: index, finish_reason: reason } = fields;
  return {
    ...(reasoning && { reasoning: reader.word(reasoning, '"reasoning"', ['echoed', 'required']) }),
    ...(refuses && { refuses: reader.some(refuses, (item) => reader.text(item, 'a field in "refuses"')) }),
    ...(images && { mostImages: reader.count(images, '"most_images"', 0) }),
    ...(ids && { callIds: reader.word(ids, '"call_ids"', ['word', 'nine']) }),
    ...(index && { callIndex: reader.word(index, '"call_index"', ['zero', 'none']) }),
    ...(fields.native_compaction && { nativeCompaction: reader.flag(fields.native_compaction, '"native_compaction"') }),
    ...(reason && { finishReason: reader.text(reason, '"finish_reason"') }),
  };
}

function readReply(located: Located, reader: FieldReader): RehearsalReply {
  const fields = reader.map(located, 'a reply', REPLY);
  const { when, reasoning, text, calls, usage, stop, expect, fault, status, repeat } = fields;
  if (fault !== undefined && status !== undefined) {
    throw reader.error(status, '"status" is short for a fault: give one of the two, the code as "status" of the fault');
  }
  const wrong = fault ?? status;
  return {
    line: located.at.line,
    ...(when && { when: readWhen(when, reader) }),
    ...(reasoning && { reasoning: reader.text(reasoning, '"reasoning"') }),
    ...(text && { text: reader.text(text, '"text"') }),
    ...(calls && { calls: reader.list(calls, '"calls"').map((call) => readCall(call, reader)) }),
    ...(fields.state && { state: reader.text(fields.state, '"state"') }),
    ...(usage && { usage: readUsage(usage, reader) }),
    ...(stop && { stop: reader.word(stop, '"stop"', ['end', 'calls', 'length', 'filter']) }),
    ...(expect && { expect: readExpectation(expect, reader) }),
    ...(wrong && { fault: readFault(wrong, wrong === status, reader) }),
    ...(repeat && { repeat: reader.flag(repeat, '"repeat"') }),
  };
}

function readWhen(located: Located, reader: FieldReader): RehearsalWhen {
  const fields = reader.map(located, '"when"', ['purpose', 'agent', 'text', 'system', 'request']);
  const { purpose, agent, text, system, request } = fields;
  return {
    ...(purpose && { purpose: reader.word(purpose, '"purpose"', ['turn', 'compaction', 'other']) }),
    ...(agent && { agent: reader.text(agent, '"agent"') }),
    ...(text && { text: reader.match(text, '"text"') }),
    ...(system && { system: reader.match(system, '"system"') }),
    ...(request && { request: reader.count(request, '"request"', 1) }),
  };
}

function readCall(located: Located, reader: FieldReader): RehearsalCall {
  const fields = reader.map(located, 'a call', ['id', 'name', 'arguments']);
  if (fields.name === undefined) throw reader.error(located, 'a call needs a "name"');
  return {
    ...(fields.id && { id: reader.text(fields.id, '"id"') }),
    name: reader.text(fields.name, '"name"'),
    arguments: fields.arguments === undefined ? '{}' : readArguments(fields.arguments, reader),
  };
}

/** A mapping becomes compact JSON with its keys in order; text is sent as it is, so that it may be broken on purpose. */
function readArguments(located: Located, reader: FieldReader): string {
  if (located.kind === 'map') return JSON.stringify(toPlain(located));
  if (located.kind === 'scalar' && typeof located.value === 'string') return located.value;
  throw reader.error(located, '"arguments" must be a mapping, or text that is sent as it is');
}

function readUsage(located: Located, reader: FieldReader): Partial<Usage> {
  const fields = reader.map(located, '"usage"', ['input', 'output', 'cache_read', 'cache_write', 'reasoning']);
  const { input, output, cache_read: cacheRead, cache_write: cacheWrite, reasoning } = fields;
  return {
    ...(input && { input: reader.count(input, '"input"', 0) }),
    ...(output && { output: reader.count(output, '"output"', 0) }),
    ...(cacheRead && { cacheRead: reader.count(cacheRead, '"cache_read"', 0) }),
    ...(cacheWrite && { cacheWrite: reader.count(cacheWrite, '"cache_write"', 0) }),
    ...(reasoning && { reasoning: reader.count(reasoning, '"reasoning"', 0) }),
  };
}

const EXPECT = ['system_contains', 'system_lacks', 'messages', 'tools', 'last_user', 'tool_result'] as const;

function readExpectation(located: Located, reader: FieldReader): RehearsalExpectation {
  const fields = reader.map(located, '"expect"', EXPECT);
  const {
    system_contains: contains,
    system_lacks: lacks,
    messages,
    tools,
    last_user: user,
    tool_result: result,
  } = fields;
  const matches = (value: Located, name: string) => reader.some(value, (item) => reader.match(item, `"${name}"`));
  return {
    ...(contains && { systemContains: matches(contains, 'system_contains') }),
    ...(lacks && { systemLacks: matches(lacks, 'system_lacks') }),
    ...(messages && { messages: reader.count(messages, '"messages"', 0) }),
    ...(tools && { tools: reader.list(tools, '"tools"').map((name) => reader.text(name, 'a name in "tools"')) }),
    ...(user && { lastUser: matches(user, 'last_user') }),
    ...(result && { toolResult: matches(result, 'tool_result') }),
  };
}
