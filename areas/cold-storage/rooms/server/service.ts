// Services for excursions, reports and the demo company.
export { planOf, planSize } from '../plan.ts'
export { initRoom } from './init.ts'
export { corrected, offsetAt, offsetsOf } from './offsets.ts'
export { apartMs } from './rules.ts'
export { wallText, zoneOf } from './sensors.ts'
