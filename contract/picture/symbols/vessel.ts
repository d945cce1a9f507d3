import { middles, type PictureSymbol, type Port, symbol } from '../symbol.ts'

type Size = readonly [width: number, height: number]
/** Ports near the bottom of both sides, and in the middle above and below. */
const low = ([width, height]: Size): Port[] => [
  ...middles([width, height], 'top', 'bottom'),
  { id: 'left', x: 0, y: height - 12, side: 'left' },
  { id: 'right', x: width, y: height - 12, side: 'right' },
]
/** An outline, its inside that fills, and the outline again above the level. */
const vessel = (name: string, size: Size, inside: string, { line = inside, ports = low(size), more = '' } = {}) =>
  symbol(
    `vessel.${name}`,
    size,
    [
      { role: 'body', d: inside },
      { role: 'level', d: inside },
      { role: 'line', d: line },
      ...(more ? [{ role: 'fine' as const, d: more }] : []),
    ],
    ports,
  )
const sides = (size: Size) => middles(size, 'left', 'right', 'top', 'bottom')

/** Tanks and vessels: ISO 10628-2, groups 1 and 2. */
export const symbols: readonly PictureSymbol[] = [
  vessel('tank', [80, 100], 'M0 12Q40 -8 80 12V100H0Z'),
  vessel('flat', [80, 100], 'M0 0H80V100H0Z'),
  vessel('open', [80, 80], 'M0 0V80H80V0Z', { line: 'M0 0V80H80V0' }),
  vessel('basin', [160, 60], 'M0 0V36L60 60H100L160 36V0Z', {
    line: 'M0 0V36L60 60H100L160 36V0',
    ports: [
      { id: 'left', x: 0, y: 12, side: 'left' },
      { id: 'right', x: 160, y: 12, side: 'right' },
      { id: 'bottom', x: 80, y: 60, side: 'bottom' },
    ],
  }),
  vessel('dished', [60, 120], 'M0 16Q0 0 30 0T60 16V104Q60 120 30 120T0 104Z', { ports: sides([60, 120]) }),
  vessel('horizontal', [120, 60], 'M16 0H104Q120 0 120 30T104 60H16Q0 60 0 30T16 0Z', { ports: sides([120, 60]) }),
  vessel('sphere', [80, 80], 'M40 0A40 40 0 1 1 40 80A40 40 0 1 1 40 0Z', { ports: sides([80, 80]) }),
  vessel('silo', [60, 120], 'M0 0H60V84L36 120H24L0 84Z', { ports: sides([60, 120]) }),
  vessel('hopper', [80, 60], 'M0 0H80L48 60H32Z', { ports: middles([80, 60], 'top', 'bottom') }),
  vessel('column', [48, 160], 'M0 16Q0 0 24 0T48 16V144Q48 160 24 160T0 144Z', {
    ports: sides([48, 160]),
    more: 'M0 40H34M14 64H48M0 88H34M14 112H48',
  }),
  symbol(
    'vessel.reactor',
    [80, 120],
    [
      { role: 'body', d: 'M4 36Q4 20 40 20T76 36V104Q76 120 40 120T4 104Z' },
      { role: 'level', d: 'M4 36Q4 20 40 20T76 36V104Q76 120 40 120T4 104Z' },
      { role: 'line', d: 'M4 36Q4 20 40 20T76 36V104Q76 120 40 120T4 104Z' },
      { role: 'run', d: 'M32 0H48V16H32Z' },
      { role: 'line', d: 'M40 16V92M24 92H56M24 86V98M56 86V98' },
    ],
    [
      { id: 'left', x: 4, y: 48, side: 'left' },
      { id: 'right', x: 76, y: 48, side: 'right' },
      { id: 'bottom', x: 40, y: 120, side: 'bottom' },
    ],
  ),
  vessel('drum', [40, 60], 'M0 0H40V60H0Z', { more: 'M0 20H40M0 40H40', ports: middles([40, 60], 'top', 'bottom') }),
]
