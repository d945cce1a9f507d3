// What excursions and reports read of rooms, and how the demo company sets its own up.
export { planOf, planSize } from '../plan.ts'
export { initRoom } from './init.ts'
export { corrected, offsetAt, offsetsOf } from './offsets.ts'
export { apartMs } from './rules.ts'
export { wallText, zoneOf } from './sensors.ts'
