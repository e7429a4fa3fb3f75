export interface RandomPort {
  bytes(length: number): Uint8Array;
}
