/** The SVG reader, loaded lazily with the first import. */
export { readSvgFile } from './svg/readSvgFile.ts'
export type { Dropped } from './svg/refusal.ts'
