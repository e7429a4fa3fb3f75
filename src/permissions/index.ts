export { childEnvironment, PROVIDER_KEY_VARIABLES, providerKeys } from './child-environment.ts';
export { createMasker, maskPatterns } from './mask.ts';
export { isPermissionMode, PERMISSION_MODES, type PermissionMode } from './permission-mode.ts';
export {
  createPermissions,
  type PermissionOptions,
  type PermissionRequest,
  type Permissions,
  type Verdict,
} from './permissions.ts';
export { ProtectedFiles, type ProtectedFilesOptions } from './protected-files.ts';
export type { ProtectedRoots } from './protected-path.ts';
export type { PlacedRule, RuleList } from './rule-set.ts';
export { TrustError, TrustStore } from './trust-store.ts';
