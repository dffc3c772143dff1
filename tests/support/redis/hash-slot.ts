/** Number of hash slots of a Redis Cluster. */
const SLOTS = 16_384;

/**
 * Computes the hash slot of a key, from the specification of Redis Cluster: CRC16 (XMODEM) of the text in the first braces, or of the whole
 * key.
 */
export function hashSlotOf(key: string): number {
  const begin = key.indexOf('{');
  const end = begin === -1 ? -1 : key.indexOf('}', begin + 1);
  const hashed = end > begin + 1 ? key.slice(begin + 1, end) : key;
  return crc16(Buffer.from(hashed)) % SLOTS;
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80_00) === 0 ? (crc << 1) & 0xff_ff : ((crc << 1) ^ 0x10_21) & 0xff_ff;
  }
  return crc;
}
