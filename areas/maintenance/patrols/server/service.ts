// For areas that plan rounds, and for steps that phones send later.
export { patrol, visit } from './rounds.ts'
