import type { SettingOrigin } from '../../config/index.ts';

/** Where a setting comes from, as a person says it: `user settings /home/ada/…/settings.json:3`. */
export function originWords({ from, path, line, variable }: SettingOrigin): string {
  if (path !== undefined) return `${from} settings ${path}${line === undefined ? '' : `:${line}`}`;
  if (variable !== undefined) return variable;
  if (from === 'default') return 'the default';
  return from === 'flag' ? 'an option' : from;
}
