export { childEnvironment, PROVIDER_KEY_VARIABLES, providerKeys } from './child-environment.ts';
export { createMasker, MASK, maskPatterns } from './mask.ts';
export { BUILT_MODES, isPermissionMode, PERMISSION_MODES, type PermissionMode } from './permission-mode.ts';
export {
  createPermissions,
  type PermissionOptions,
  type PermissionRequest,
  type Permissions,
  type Verdict,
} from './permissions.ts';
