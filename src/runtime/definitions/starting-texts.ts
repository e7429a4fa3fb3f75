/** The project's instruction file, for a person to fill in. Comments of Markdown reach the model too: they are short. */
export const AGENTS_TEXT: string = `# Working in this repository

<!-- Agents read this file at the start of a session. Keep what cannot be seen in the code, and keep it short. -->

## What it is

One or two sentences: what this project does, and for whom.

## Commands

- Build:
- Tests, and how to run a single one:
- Format and lint:

## Rules

- What must never be edited by hand, and what makes it:
- What a change has to come with (tests, a line in the change log):
`;

export const USER_AGENTS_TEXT: string = `# How I work

<!-- Agents read this file in every project, before the project's own. Keep it short. -->

- Language of answers and of comments:
- How much to explain:
- What to ask about before doing it:
`;

/** Nothing is set by it. */
export const SETTINGS_TEXT: string = `{
  // Settings of rein: JSON with comments and trailing commas. All keys, with what they mean: rein config schema
  // What is in force, and where each value comes from: rein config

  // Which model is asked, as PROVIDER/MODEL. In a project it counts once the directory is trusted (rein trust).
  // "model": "openai/gpt-5",

  // The facet that a session begins with.
  // "facet": "review",

  // What may never be done, and what is asked about in every mode.
  // "permissions": {
  //   "deny": ["shell(git push *)"],
  //   "ask": ["write(migrations/**)"],
  // },
}
`;

export const FACET_TEXT: string = `---
# A facet is a role: while it is in force, the text below is the system prompt. Its name is that of the file.
# Check it with: rein validate facet PATH. A change counts from the next session, or after a reload.
name: review
description: Reads a change and says what is wrong with it, without editing anything.
rein:
  # The tools that the model is not offered.
  tools_deny: [edit, write]
---
{{ transclude("rein://system_prompts/facet.md") }}

You review changes. Read what was changed and what depends on it before you judge. For each finding give the file, the
line, what goes wrong and in which case; the gravest first. Say so plainly when you find nothing. Do not edit files.
`;

export const SUBAGENT_TEXT: string = `---
# A subagent is an agent that the model starts for a part of the work; it has a conversation of its own. Its name is that
# of the file. The model chooses it by the description. Check it with: rein validate subagent PATH
name: test-runner
description: Runs the tests that a change concerns and says which fail, and why. Say what was changed.
rein:
  # The tools that it has. Left out: all that whoever starts it has.
  tools: [read, glob, grep, shell]
---
Find out how the tests of this repository are run, and run those that the change concerns. Do not repair anything. For each
failure give the test, the message, and the line of the code that it comes from.
`;

export const SKILL_TEXT: string = `---
# A skill is a text that the model loads when it needs it; until then it sees the description only, so say there when
# that is. The name is that of the directory. Check it with: rein validate skill PATH
name: commit-message
description: How commit messages are written here. Use it before you propose or make a commit.
---
- The first line says what the change does for whoever uses the program, in at most 72 characters.
- After a blank line: why, and what was considered and left out.
- One change a commit; formatting goes into a commit of its own.
`;
