// What excursions and reports read of rooms, and how the demo company sets its own up.
export { initRoom } from './init.ts'
export { corrected, offsetAt, offsetsOf } from './offsets.ts'
export { apartMs } from './rules.ts'
export { wallText, zoneOf } from './sensors.ts'
