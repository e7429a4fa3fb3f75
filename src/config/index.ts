export { cacheHome, configHome, stateHome, userHome } from './home.ts';
export { type ConfigRequest, type LoadedConfig, loadConfig } from './load-config.ts';
export type { SettingOrigin, SettingSource, Settings } from './settings.ts';
export { type ToldClock, toldClock } from './told-clock.ts';
