/** The reader of SVG files; it loads with whoever imports one. */
export { readSvgFile } from './svg/readSvgFile.ts'
export type { Dropped } from './svg/refusal.ts'
