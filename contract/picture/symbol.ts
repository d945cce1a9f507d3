// Symbols of process pictures. Data, so that browser, thumbnail and report draw them alike.
// Geometry after ISO 10628-2 and ISA-5.1, looks after ISA-101: grey lines; a machine that runs is filled, one that stands is hollow.

export const categories = [
  ...(['vessel', 'pump', 'valve', 'drive', 'heat', 'filter', 'meter'] as const),
  ...(['instrument', 'transport', 'electric', 'cold', 'water', 'building'] as const),
] as const
export type Category = (typeof categories)[number]

/**
 * What a shape of a symbol is for.
 * - `body`: filled with the surface, outlined. `line`: outline only. `fine`: a thin outline. `solid`: filled like the outline.
 * - `run`: filled while the machine runs, hollow while it stands, dashed while nobody knows.
 * - `open` and `shut`: shown while a valve, door or switch is open, or shut; both, thin and dashed, while nobody knows.
 * - `rotor`: a line on what runs, in the colour of the ground while it is filled. With `about`, it turns then.
 * - `level`: a vessel's inside. It is filled from below to its level.
 */
export type Role = 'body' | 'line' | 'fine' | 'solid' | 'run' | 'open' | 'shut' | 'rotor' | 'level'

export type Part = {
  role: Role
  /** SVG path data, in units of the symbol. */
  d: string
  /** Of a rotor that turns: the point that it turns about. */
  about?: readonly [x: number, y: number]
  /** Of own symbols: what people call it, and colours that stay until the item has others. */
  name?: string
  fill?: string
  stroke?: string
}

export type Side = 'left' | 'right' | 'top' | 'bottom'
export type Port = { id: string; x: number; y: number; side: Side; line?: 'pipe' | 'signal' | 'power' }

/** What of a symbol a binding can drive beside colours, visibility and place. */
export type Drive = 'level' | 'running' | 'open'

export type PictureSymbol = {
  /** `category.name`, for ever: scenes name it. Words at `symbol.<category>.<name>`. A company's own: `own.<Id>`. */
  id: `${Category | 'own'}.${string}`
  /** Of an own symbol. */
  name?: string
  width: number
  height: number
  ports: readonly Port[]
  parts: readonly Part[]
  drives: readonly Drive[]
  /** Where letters such as TIC stand, and their size. */
  letters?: readonly [x: number, y: number, size: number]
}

export const symbol = (
  id: PictureSymbol['id'],
  [width, height]: readonly [number, number],
  parts: readonly Part[],
  ports: readonly Port[],
  letters?: PictureSymbol['letters'],
): PictureSymbol => {
  const has = (...roles: Role[]) => parts.some(({ role }) => roles.includes(role))
  const drives: Drive[] = []
  if (has('level')) drives.push('level')
  if (has('run', 'rotor')) drives.push('running')
  if (has('open', 'shut')) drives.push('open')
  return { id, width, height, parts, ports, drives, ...(letters ? { letters } : {}) }
}

const sides: Record<Side, (width: number, height: number) => readonly [number, number]> = {
  left: (_, h) => [0, h / 2],
  right: (w, h) => [w, h / 2],
  top: (w) => [w / 2, 0],
  bottom: (w, h) => [w / 2, h],
}
/** Ports in the middle of sides, named like them. */
export const middles = ([width, height]: readonly [number, number], ...at: readonly Side[]): Port[] =>
  at.map((side) => {
    const [x, y] = sides[side](width, height)
    return { id: side, x, y, side }
  })
