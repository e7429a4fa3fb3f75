// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text for a shell

import { describe, expect, test } from 'vitest';
import { all, commandVerdicts, judged } from './test-permissions.ts';

const GIT_NOT_RM = { rules: { allow: ['shell(git *)'], deny: ['shell(rm *)'] } };

describe('with git allowed and rm denied (C110)', () => {
  test('git alone and in lists is allowed', async () => {
    const commands = [
      'git',
      'git log',
      'git log && git status',
      'git log; git status; cd src; pwd',
      'git log | git apply',
      'git log\ngit status',
      'git -C src -c color.ui=never log --oneline',
      'git log $(git rev-parse HEAD)',
      'git commit -m "a && rm b"',
      "git commit -m 'rm x'",
      'git log # && rm x',
      'for i in a b; do git log $i; done',
      'if git status; then git log; fi',
      '(git log)',
      '{ git log; }',
      'f() { git log "$1"; }',
      'time git log',
      '! git log',
      'env git log',
      '/usr/bin/env git log',
      'env A=1 git log',
      'nice -n 5 git log',
      'timeout -k 5 10 git log',
      'nohup git log',
      'stdbuf -oL git log',
      'setsid git log',
      'command git log',
      'xargs -n1 git log',
      'xargs git log < /dev/null',
      'exec git log',
      'sh -c "git log"',
      "bash -lc 'git log; git status'",
      "eval 'git log'",
      'git log > /dev/null 2>&1',
      'A=1 git log',
      'git log "$X"',
      'git log -- *.js',
      'true && git log || echo failed',
      'busybox sh -c "git log"',
    ];
    expect(await commandVerdicts(commands, GIT_NOT_RM)).toEqual(all(commands, 'allow'));
  });

  test('rm is denied wherever a shell would run it', async () => {
    const commands = [
      'rm x',
      'git log && rm -rf x',
      'git log || rm -rf x',
      'git log; rm -rf x',
      'git log | rm -rf x',
      'git log |& rm -rf x',
      'git log & rm -rf x',
      'git log\nrm -rf x',
      'git log $(rm -rf x)',
      'git log `rm -rf x`',
      'git log <(rm -rf x)',
      'git log "$(rm -rf x)"',
      'git log "a${b:-$(rm -rf x)}"',
      'git log $(( $(rm x) ))',
      'A=$(rm x) git log',
      'A=(1 $(rm x)); git log',
      'A[$(rm x)]=1',
      'git log > $(rm x)',
      'git log <<< $(rm x)',
      'git log <<END\n$(rm x)\nEND',
      'cat <<END\n`rm x`\nEND',
      '[[ -n $(rm x) ]] && git log',
      '(( $(rm x) ))',
      'case $(rm x) in *) git log;; esac',
      'case a in a) rm x;; esac',
      'for i in $(rm x); do git log; done',
      'while rm x; do git log; done',
      'until false; do rm x; done',
      'if rm x; then git log; fi',
      'select i in a; do rm x; done',
      '(rm x)',
      '((rm x); git log)',
      'git log $((rm x); git log)',
      '{ rm x; }',
      'f() { rm x; }; f',
      'function git { rm x; }',
      'coproc rm x',
      'time rm x',
      '! rm x',
      'export A=$(rm x)',
      'sh -c "rm x"',
      "bash -ec 'git log; rm x'",
      "bash -o pipefail -c 'rm x'",
      'sh -c \'sh -c "rm x"\'',
      'env rm x',
      'env -i A=1 rm x',
      'env -u A -C src rm x',
      '/usr/bin/env rm x',
      'nice rm x',
      'nice -n 19 rm x',
      'nice -19 rm x',
      'nohup rm x',
      'timeout 5 rm x',
      'timeout -s KILL --kill-after=1 5 rm x',
      'stdbuf -o0 rm x',
      'setsid -w rm x',
      'ionice -c 3 rm x',
      'command rm x',
      'command -p rm x',
      'builtin rm x',
      'exec rm x',
      'exec -a git rm x',
      '/usr/bin/time -f %e rm x',
      'sudo rm x',
      'sudo -u root -- rm x',
      'sudo A=1 rm x',
      'doas rm x',
      'xargs rm x',
      'xargs -I {} -n 1 rm {}',
      'ls | xargs -0 sh -c "rm x"',
      'find . -name x -exec rm {} ;',
      'find . -execdir rm {} +',
      "find . -exec sh -c 'rm x' \\;",
      'busybox rm x',
      'env nice timeout 5 sh -c "rm x"',
      'eval rm x',
      "eval 'rm x'",
      "trap 'rm x' EXIT",
      "git -c alias.x='!rm x' x",
      "git rebase --exec 'rm x' main",
      "git rebase -x 'rm x' main",
      'git bisect run rm x',
      "git submodule foreach 'rm x'",
      'r\\m x',
      "'rm' x",
      '"r"m x',
      "$'r\\x6d' x",
      '/bin/rm x',
      './rm x',
      'rm $X',
      '> out rm x',
    ];
    expect(await commandVerdicts(commands, GIT_NOT_RM)).toEqual(all(commands, 'deny'));
  });

  test('what cannot be read is asked about, whatever is allowed', async () => {
    const commands = [
      'git log "',
      'git log $(',
      'if git log',
      'git log && && git status',
      '$X x',
      '${X}m x',
      'r$X x',
      '"$(which git)" log',
      '/bin/r? x',
      '{rm,x}',
      'sh -c "$X"',
      'sh -c "git $X"',
      'eval "$X"',
      'eval git $X',
      'bash',
      'git log | sh',
      'bash <<END\nrm x\nEND',
      'source x',
      '. x',
      'bash x.sh',
      'env -S "rm x"',
      'xargs --weird git log',
      'nice --weird git log',
      'trap "$X" EXIT',
      'sudo git log',
      'PATH=/tmp git log',
      'LD_PRELOAD=x git log',
      'GIT_PAGER="rm x" git log',
      'export PATH=/tmp; git log',
      'PATH=/tmp; git log',
      'env BASH_ENV=x git log',
      'for PATH in /tmp; do git log; done',
      'git -c core.pager="rm x" log',
      'git -c alias.log=push log',
      'git --exec-path=/tmp log',
      'git --config-env=core.pager=X log',
      'git config core.hooksPath x',
      'git config set alias.x "!rm x"',
      'git fetch --upload-pack="rm x" .',
      'git grep -O"rm x" a',
      'git difftool -x "rm x"',
      'git $X',
      'echo ${X@P}',
      'echo ${!X}',
      'echo $((X))',
      'A="a[\\$(rm x)]"; echo $((A))',
      '[[ $X -eq 1 ]]',
      'git log > /dev/tcp/127.0.0.1/80',
      `git log ${'x'.repeat(70_000)}`,
      'f() { git log; }; f',
      'false && ls() { :; }; ls',
      '(ls() { :; }); ls',
      'find . -name x',
      'ls',
      '/tmp/git log',
      './env git log',
      '/tmp/sh -c "git log"',
      '/usr/bin/../../tmp/env git log',
      './git log',
    ];
    expect(await commandVerdicts(commands, GIT_NOT_RM)).toEqual(all(commands, 'ask'));
  });

  test('a word that is known only when it runs may be what is denied', async () => {
    const judging = { rules: { allow: ['shell(git *)'], deny: ['shell(git push *)'] } };
    expect(
      await commandVerdicts(['git log $X', 'git push', 'git push $X', 'git "$X" origin', 'git -C a $X'], judging),
    ).toEqual({
      'git log $X': 'allow',
      'git push': 'deny',
      'git push $X': 'deny',
      'git "$X" origin': 'ask',
      'git -C a $X': 'ask',
    });
  });
});

describe('files that a command names', () => {
  test('behind a redirection are judged as files', async () => {
    const rules = {
      allow: ['shell(git *)', 'shell(cat *)', 'write(out/**)'],
      deny: ['read(secret)', 'write(locked/**)'],
    };
    const commands = [
      'git log > out/a',
      'cd out && git log > a',
      'git log >> src/a.js',
      'git log > /tmp/x',
      'git log > ~/x',
      'git log > "$X"',
      'git log &> src/b',
      'cat < src/a.js',
      'cat < /etc/passwd',
      'cat < secret',
      'cat secret',
      'cat ./src/../secret',
      'git log --output=locked/x',
      'git log > locked/x',
      'cd locked && git log > x',
    ];
    expect(await commandVerdicts(commands, { rules })).toEqual({
      'git log > out/a': 'allow',
      'cd out && git log > a': 'ask',
      'git log >> src/a.js': 'ask',
      'git log > /tmp/x': 'ask',
      'git log > ~/x': 'ask',
      'git log > "$X"': 'ask',
      'git log &> src/b': 'ask',
      'cat < src/a.js': 'allow',
      'cat < /etc/passwd': 'ask',
      'cat < secret': 'deny',
      'cat secret': 'deny',
      'cat ./src/../secret': 'deny',
      'git log --output=locked/x': 'deny',
      'git log > locked/x': 'deny',
      'cd locked && git log > x': 'deny',
    });
  });

  test('that always need a person are asked about, also where nothing else is (C114)', async () => {
    const commands = [
      'echo {} > .rein/settings.json',
      'cd .rein && echo {} > settings.json',
      'cd /home/u/.config; echo {} > rein/settings.json',
      'echo x >> ~/.bashrc',
      'cp a .git/hooks/pre-commit',
      'tee .npmrc < a',
      'sed -i s/a/b/ .github/workflows/ci.yml',
      'dd of=.npmrc',
      'rm -rf .rein/*',
      'mv x ~/.config/rein/settings.json',
      "sh -c 'echo x > .rein/settings.json'",
      'echo x > link',
      'rein trust',
      'npx x; rein -p --trust hello',
    ];
    const tree = { '/ws/link': { link: '.npmrc' }, '/ws/.npmrc': '' };
    expect(await commandVerdicts(commands, { mode: 'yolo', tree })).toEqual(all(commands, 'ask'));
    const read = ['cat .rein/settings.json', 'grep x ~/.bashrc', 'git add .github/workflows/ci.yml', 'ls .git/hooks'];
    expect(await commandVerdicts(read, { mode: 'yolo', tree })).toEqual(all(read, 'allow'));
  });

  test('and are named by a rule may be changed', async () => {
    const rules = { allow: ['write(.github/workflows/**)', 'write(/**)'] };
    expect(
      await commandVerdicts(['echo x > .github/workflows/ci.yml', 'echo x > .npmrc'], { mode: 'yolo', rules }),
    ).toEqual({ 'echo x > .github/workflows/ci.yml': 'allow', 'echo x > .npmrc': 'ask' });
  });
});

test('what runs a command by the back door is asked about, though all that it names is harmless', async () => {
  const commands = [
    "[[ -v 'a[$(touch x)]' ]]",
    "a['b[$(touch x)]']=1",
    "b='a[$(touch x)]'; a[$b]=1",
    "a=(['b[$(touch x)]']=1)",
    "OPTIND='a[$(touch x)]'",
    "echo ${RANDOM:='a[$(touch x)]'}",
    "for HISTCMD in 'a[$(touch x)]'; do :; done",
    "printf -v 'a[$(touch x)]' 1",
    "test -v 'a[$(touch x)]'",
    "unset 'a[$(touch x)]'",
    'printf -v PATH /tmp; git log',
    'read PATH <<< /tmp; git log',
    "let 'a[$(touch x)]'",
    "echo 'a; touch x' | xargs -I% sh -c 'echo %'",
    "echo '$(touch x)' | xargs -I {} sh -c 'echo {}'",
    "xargs --replace=% sh -c 'echo %'",
    'bash -xc \'PS4="\\$(touch x)"; echo a\'',
    "env PS4='$(touch x)' bash -xc :",
    "sh -c '[[ -n a || touch == x ]]'",
    "sh -c 'echo $'\\''a\\'\\''",
    'dash -c "echo $\'a\'"',
    "zsh -c 'echo a'",
    "ksh -c 'echo a'",
    '/usr/bin/time -o /home/u/.x -f text true',
    'command time --output=/home/u/.x true',
    'xargs -a /home/u/.ssh/id echo',
    "env -C /home/u sh -c 'echo x > .bashrc'",
    "find . -maxdepth 0 -execdir sh -c 'echo x > a' ;",
  ];
  const rules = {
    allow: ['shell(git *)', ...['printf', 'test', 'unset', 'read', 'let', 'find'].map((name) => `shell(${name} *)`)],
  };
  expect(await commandVerdicts(commands, { mode: 'accept-edits', rules })).toEqual(all(commands, 'ask'));
  const harmless = [
    '[[ -v a && $b == c ]]',
    'a[0]=1',
    'a=(b c)',
    'printf -v a 1',
    'test -v a',
    "sh -c 'echo a'",
    'read a',
  ];
  expect(await commandVerdicts(harmless, { mode: 'accept-edits', rules })).toEqual(all(harmless, 'allow'));
});

test('where there is no bash, what other shells read differently is asked about', async () => {
  const commands = ['[[ -n a || touch == x ]]', "echo $'a\\'; touch x; echo \\''"];
  const tree = { '/bin/bash': { link: '/nowhere' } };
  expect(await commandVerdicts(commands, { tree })).toEqual(all(commands, 'ask'));
});

test('git is asked about where its options or settings start a program, also cut short', async () => {
  const commands = [
    "git rebase -x'touch x' HEAD~1",
    "git rebase -ix'touch x' HEAD~1",
    "git rebase --exe='touch x' HEAD~1",
    'git config core.hooksPath list',
    'git config core.pager get',
    'git config -f user.x core.pager x',
    'git config --fil=user.x core.pager x',
    'git -c init.templateDir=x init y',
    'git init --template=x y',
    'git init --temp=x y',
    'git clone -c core.fsmonitor=x . y',
    'git clone --config core.fsmonitor=x . y',
    'git clone -u ./x . y',
    'git ls-remote --upload-p=./x .',
    'git ls-remote --u=./x .',
    'git difftool --extc=x',
    'git grep --open-files=./x a',
    'git --git-dir=x status',
    'git fetch "ext::sh -c touch% x"',
    'git remote-ext a "sh -c x"',
    'git send-email --smtp-server=./x a',
    'git daemon --access-hook=./x',
  ];
  const rules = { allow: ['shell(git *)'] };
  expect(await commandVerdicts(commands, { rules })).toEqual(all(commands, 'ask'));
  const harmless = [
    'git config --global --get user.name',
    'git config get core.pager',
    'git config user.name x',
    'git log --text --oneline --cc',
    'git commit --template=x --no-edit',
    'git log -c',
  ];
  expect(await commandVerdicts(harmless, { rules })).toEqual(all(harmless, 'allow'));
});

test('a redirection is judged by where the system follows it, not by what its name says', async () => {
  const tree = { '/ws/out': { link: '/home/u/far' }, '/home/u/far/a': '', '/ws/in': { link: 'src' } };
  const commands = {
    'echo x > out/../.bashrc': 'ask',
    'cd out; echo x > ../.bashrc': 'ask',
    'cd -P out/..; echo x > a': 'ask',
    'cd out/..; echo x > a': 'ask',
    'cd src && echo x > /proc/self/cwd/a': 'ask',
    'echo x > /proc/self/root/ws/a': 'ask',
    'echo x > /dev/fd/../cwd/a': 'ask',
    'echo x > ~root/a': 'ask',
    'echo x > src/../a': 'allow',
    'cd src/..; echo x > a': 'allow',
    'echo x > in/../a': 'allow',
  };
  expect(await commandVerdicts(Object.keys(commands), { mode: 'accept-edits', tree })).toEqual(commands);
  const denied = { mode: 'yolo', tree, rules: { deny: ['write(/home/u/.x)'] } };
  expect(await commandVerdicts(['cp a out/../.x', 'cp a out/.x'], denied)).toEqual({
    'cp a out/../.x': 'deny',
    'cp a out/.x': 'allow',
  });
});

test('a pattern that could stand for a file that is denied is asked about, in yolo too', async () => {
  const rules = { deny: ['read(**/*.pem)', 'write(keep/**)'] };
  const commands = {
    'cat *.pem': 'ask',
    'cat a.pe?': 'ask',
    'cat src/*': 'ask',
    'cat "$X"': 'ask',
    'cat {a,b}.pem': 'ask',
    'rm -r k*': 'ask',
    'rm keep/*': 'ask',
    'cat /proc/self/cwd/a.pem': 'ask',
    'cat src/*.ts': 'allow',
    'cat "$X.ts"': 'allow',
    'rm src/*.ts': 'allow',
    'echo *': 'allow',
    'cat a.pem': 'deny',
  };
  expect(await commandVerdicts(Object.keys(commands), { mode: 'yolo', rules })).toEqual(commands);
});

test('in yolo a command runs that cannot be read, unless it could hide what is forbidden', async () => {
  const commands = ['$X', 'sh -c "$X"', 'git log "', 'anything at all'];
  expect(await commandVerdicts(commands, { mode: 'yolo' })).toEqual(all(commands, 'allow'));
  const rules = { deny: ['shell(rm *)'] };
  expect(await commandVerdicts(commands, { mode: 'yolo', rules })).toEqual({
    ...all(commands, 'ask'),
    'anything at all': 'allow',
  });
});

test('read-only runs no command, whatever is allowed', async () => {
  expect(
    await judged({ type: 'command', command: 'git log' }, { mode: 'read-only', rules: { allow: ['shell'] } }),
  ).toEqual({
    verdict: 'deny',
    why: 'This session is read-only: running commands is not allowed. The user can allow it with --permission-mode yolo.',
  });
});

test('denied beats asked beats allowed, and a person’s grant beats asked', async () => {
  const rules = { allow: ['shell(git *)'], ask: ['shell(git push*)'], deny: ['shell(git push --force*)'] };
  const commands = ['git log', 'git push', 'git log; git push', 'git push --force', 'git push; git push --force'];
  expect(await commandVerdicts(commands, { rules })).toEqual({
    'git log': 'allow',
    'git push': 'ask',
    'git log; git push': 'ask',
    'git push --force': 'deny',
    'git push; git push --force': 'deny',
  });
  expect(await commandVerdicts(commands, { rules, grants: ['shell(git push)', 'shell(git push --force)'] })).toEqual({
    'git log': 'allow',
    'git push': 'allow',
    'git log; git push': 'allow',
    'git push --force': 'deny',
    'git push; git push --force': 'deny',
  });
});

test.each([
  ['PATH=/x ls', 'shell(rm *)'],
  ['echo x > "$X"', 'write(secret)'],
  ['echo x > /dev/tcp/h/80', 'fetch'],
])('%s may hide what %s denies in every mode, so that none is named as a way on', async (command, deny) => {
  const ways = await Promise.all(
    [{ deny: [deny] }, {}].flatMap((rules) =>
      ['ask', 'yolo'].map(async (mode) => {
        const verdict = await judged({ type: 'command', command }, { rules: { ...rules, allow: ['shell(ls)'] }, mode });
        return verdict.verdict === 'ask' ? verdict.beforehand : verdict.verdict;
      }),
    ),
  );
  expect(ways).toEqual([null, null, 'To allow it beforehand: --permission-mode yolo.', 'allow']);
});

test('a question names each command that needs it, with the rule for just this', async () => {
  expect(await judged({ type: 'command', command: "npm test && git commit -m 'a b' && git log" }, GIT_NOT_RM)).toEqual({
    verdict: 'ask',
    why: 'Running "npm test" needs the user’s approval.',
    rules: ['shell(npm test)'],
    beforehand: `To allow it beforehand: --permission-mode yolo, or -c 'permissions.allow=["shell(npm test)"]'.`,
    places: null,
  });
  const command = "touch 'a b' '*'";
  const verdict = await judged({ type: 'command', command });
  expect(verdict).toMatchObject({ rules: ['shell(touch a\\ b \\*)'] });
  expect(
    await commandVerdicts([command, "touch a b '*'", "touch 'a b' x"], { grants: ['shell(touch a\\ b \\*)'] }),
  ).toEqual({
    [command]: 'allow',
    "touch a b '*'": 'ask',
    "touch 'a b' x": 'ask',
  });
});
