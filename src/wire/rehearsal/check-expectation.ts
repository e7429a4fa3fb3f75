import { screenLine } from '../../base/index.ts';
import type { RequestView } from './request-view.ts';
import type { RehearsalExpectation, TextMatch } from './script.ts';
import { matchesText, showMatch } from './text-match.ts';

/** What of an expectation does not hold, one sentence each with what was found. */
export function checkExpectation(expect: RehearsalExpectation, request: RequestView): string[] {
  const failures: string[] = [];
  const { systemContains = [], systemLacks = [], lastUser = [], toolResult = [] } = expect;
  for (const match of systemContains.filter((match) => !matchesText(match, request.system))) {
    failures.push(
      `system_contains ${showMatch(match)}: the system prompt (${request.system.length} characters) lacks it`,
    );
  }
  for (const match of systemLacks.filter((match) => matchesText(match, request.system))) {
    failures.push(`system_lacks ${showMatch(match)}: the system prompt has it: ${excerpt(match, request.system)}`);
  }
  if (expect.messages !== undefined && expect.messages !== request.messages.length) {
    const roles = request.messages.map((message) => message.role).join(', ');
    failures.push(`messages ${expect.messages}: there are ${request.messages.length} (${roles})`);
  }
  if (expect.tools !== undefined) failures.push(...checkTools(expect.tools, request));
  for (const match of lastUser.filter((match) => !matchesText(match, request.lastUser))) {
    failures.push(`last_user ${showMatch(match)}: it is "${screenLine(request.lastUser, 200)}"`);
  }
  for (const match of toolResult.filter((match) => !request.toolResults.some((text) => matchesText(match, text)))) {
    const found = request.toolResults.map((text) => `"${screenLine(text, 200)}"`).join(', ');
    failures.push(
      `tool_result ${showMatch(match)}: ${found === '' ? 'no result ends the conversation' : `it is ${found}`}`,
    );
  }
  return failures;
}

function checkTools(expected: readonly string[], request: RequestView): string[] {
  const offered = request.tools.map((tool) => tool.name);
  const missing = expected.filter((name) => !offered.includes(name));
  const extra = offered.filter((name) => !expected.includes(name));
  if (missing.length === 0 && extra.length === 0) return [];
  const differences = [
    ...(missing.length === 0 ? [] : [`${missing.join(', ')} not offered`]),
    ...(extra.length === 0 ? [] : [`${extra.join(', ')} offered as well`]),
  ];
  return [`tools: ${differences.join('; ')}`];
}

function excerpt(match: TextMatch, text: string): string {
  const at = typeof match === 'string' ? text.indexOf(match) : text.search(match);
  return `"${screenLine(text.slice(Math.max(0, at - 20), at + 80), 160)}" at character ${at}`;
}
