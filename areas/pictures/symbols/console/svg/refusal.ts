/** Why a file is refused. Words at `svg.refused.<why>`. */
export const refusals = [
  ...(['tooLarge', 'notXml', 'notSvg', 'entities', 'tooManyNodes', 'tooDeep', 'useDepth'] as const),
  ...(['pathTooLong', 'tooManyShapes', 'geometry', 'empty', 'tooDetailed', 'tooSlow'] as const),
] as const
export type Why = (typeof refusals)[number]

/** Parts omitted from a drawing. Words at `svg.dropped.<what>`. */
export const droppable = [
  ...(['script', 'handler', 'foreign', 'link', 'reference', 'css', 'image', 'text', 'animation'] as const),
  ...(['paint', 'effect', 'style', 'metadata', 'colour', 'broken', 'other'] as const),
] as const
export type Dropped = (typeof droppable)[number]

export class Refusal extends Error {
  readonly why: Why
  constructor(why: Why) {
    super(why)
    this.why = why
  }
}
export const limits = {
  /** Maximum characters of a file. */
  text: 4 * 1024 * 1024,
  nodes: 20_000,
  depth: 100,
  /** Maximum characters of one path, or of one list of points. */
  path: 200_000,
  useDepth: 8,
  /** Maximum shapes, counted per use. */
  shapes: 5000,
  css: 50_000,
  coordinate: 1e7,
}
