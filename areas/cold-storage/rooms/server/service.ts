// What excursions and reports read of rooms.
export { corrected, offsetAt, offsetsOf } from './offsets.ts'
export { apartMs } from './rules.ts'
export { wallText, zoneOf } from './sensors.ts'
