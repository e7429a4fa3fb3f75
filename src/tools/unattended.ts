/**
 * A child's environment in which whatever would wait for a person fails at once instead: editors (the one for a rebase's
 * list too: `true` would rewrite history unasked), password and confirmation prompts, pagers. Colours are off.
 */
export function unattended(env: Readonly<Record<string, string>>): Record<string, string> {
  const { FORCE_COLOR: _, CLICOLOR_FORCE: __, ...rest } = env;
  return { ...rest, ...VARIABLES };
}

const VARIABLES: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GH_PAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  AWS_PAGER: '',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  SUDO_ASKPASS: '/bin/false',
  GCM_INTERACTIVE: 'never',
  GH_PROMPT_DISABLED: '1',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
};
