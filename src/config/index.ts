export { configHome, stateHome, userHome } from './home.ts';
export type { Leaf as SettingValue } from './layers.ts';
export { type ConfigRequest, type LoadedConfig, loadConfig, type SettingRule, settingsFiles } from './load-config.ts';
export type { SettingOrigin, SettingSource, Settings } from './settings.ts';
export { SETTING_KEYS, type SettingsSchema, settingsSchema } from './settings-schema.ts';
export type { SettingsTrust, Unconfirmed } from './settings-trust.ts';
export { dottedKey } from './shown-key.ts';
export { type ToldClock, toldClock } from './told-clock.ts';
